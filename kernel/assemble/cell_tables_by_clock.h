/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CELL_TABLES_BY_CLOCK_H
#define HRLI_CELL_TABLES_BY_CLOCK_H

#include <hrl/cell_table.h>
#include <hrl/clock_counter.h>
#include <hrl/table_action.h>

/*
 * What a description has as tables in timer cells, where cells have no groups: tables on a clock counter, with
 * the same calls (kernel/table/cell_table.c). At file scope, without a semicolon.
 *
 * HRLI_CLOCKED_POINT names point `number` of a table, with its actions; HRLI_CELL_TABLE_BY_CLOCK takes all of
 * them, with their offsets.
 */
#define HRLI_CLOCKED_POINT(name, number, ...)                                                      \
    static const struct hrl_table_action name##_actions_##number[] = {__VA_ARGS__};
#define HRLI_CELL_TABLE_BY_CLOCK(name, lasts, repeats, ...)                                        \
    static const struct hrl_expiry_point name##_points[] = {__VA_ARGS__};                          \
    HRL_SCHEDULE_TABLE_DEFINE(name##_by_clock, &cell_tables_clock, lasts, repeats, name##_points); \
    extern struct hrl_cell_table name;                                                             \
    HRL_CELL_TABLE_DEFINE_BY_CLOCK(name, &name##_by_clock);

/* In front of them, their counter. */
#define HRLI_CELL_TABLES_CLOCK HRL_CLOCK_COUNTER_DEFINE(cell_tables_clock);

#endif
