/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CELL_TABLES_H
#define HRLI_CELL_TABLES_H

#include "cell_table.h"
#include "handler.h"
#include "hrlp_cell.h"

/*
 * Schedule tables in timer cells become code (kernel/table/cell_table.h). At file scope, without a semicolon.
 */

/* The calls, by the driver that begins with `device`. */
#define HRLI_CELL_TABLE_CALLS(device)                                                              \
    static const struct hrli_cell_groups cell_groups = {                                           \
        device##_group_start, device##_group_stop, device##_group_set,   device##_group_set_by,    \
        device##_group_fire,  device##_group_read, device##_group_clock, device##_group_counter,   \
        device##_group_allow, device##_forget,     device##_group_period};                         \
    enum hrl_status hrl_cell_table_start_relative(struct hrl_cell_table *table, uint32_t offset)   \
    {                                                                                              \
        return hrli_cell_table_start_relative(table, offset);                                      \
    }                                                                                              \
    enum hrl_status hrl_cell_table_start_absolute(struct hrl_cell_table *table, uint32_t start)    \
    {                                                                                              \
        return hrli_cell_table_start_absolute(table, start, &cell_groups);                         \
    }                                                                                              \
    static __attribute__((noinline)) enum hrl_status stop_other(struct hrl_cell_table *table,      \
                                                                hrlp_irq_state state)              \
    {                                                                                              \
        return hrli_cell_table_stop_other(table, state, &cell_groups);                             \
    }                                                                                              \
    enum hrl_status hrl_cell_table_stop(struct hrl_cell_table *table)                              \
    {                                                                                              \
        return hrli_cell_table_stop(table, stop_other, &cell_groups);                              \
    }                                                                                              \
    enum hrl_status hrl_cell_table_next(struct hrl_cell_table *from, struct hrl_cell_table *to)    \
    {                                                                                              \
        return hrli_cell_table_next(from, to, &cell_groups);                                       \
    }                                                                                              \
    __attribute__((noinline, unused)) static void end_cell_table(struct hrl_cell_table *table)     \
    {                                                                                              \
        hrli_cell_table_end(table, &cell_groups);                                                  \
    }                                                                                              \
    static void prepare_cell_table(const struct hrl_cell_table *table)                             \
    {                                                                                              \
        for (uint32_t i = 0; i < table->count; i++) {                                              \
            device##_group_prepare(table->cell + i, table->group, table->period,                   \
                                   i != 0 || !table->has_end || table->period == 0);               \
        }                                                                                          \
    }

/*
 * The table `name`, with `cells` of them from channel `first` of its device on, which are in group `number`;
 * `forget` is where their requests are forgotten. The rest of the line has the offsets of the cells: if it
 * `has` an end the duration, and then those of its points, of which `least` is the first. It stands behind
 * HRLI_CELL_TABLE_CALLS.
 */
#define HRLI_CELL_TABLE(name, first, cells, forgets, number, lasts, repeats, has, least, ...)      \
    static const uint32_t name##_offsets[] = {__VA_ARGS__};                                        \
    static enum hrl_status run_##name(struct hrl_cell_table *table, uint32_t from, unsigned state) \
    {                                                                                              \
        return hrli_cell_table_run(table, from, state, first, cells, &cell_groups);                \
    }                                                                                              \
    extern struct hrl_cell_table name;                                                             \
    struct hrl_cell_table name = {.most = INT32_MAX - (least),                                     \
                                  .period = (repeats) ? (lasts) : 0,                               \
                                  .offsets = name##_offsets,                                       \
                                  .count = (cells),                                                \
                                  .cell = (first),                                                 \
                                  .groups = (uint32_t)1 << (number),                               \
                                  .group = (number),                                               \
                                  .requests = (((uint32_t)1 << (cells)) - 1u) << (first) % 32u,    \
                                  .forget = (forgets),                                             \
                                  .has_end = (has),                                                \
                                  .run = run_##name};

/* In the handler of its first cell, acknowledged. */
#define HRLI_SERVE_CELL_TABLE_END(name) end_cell_table(&name);

/* In the handler of a point: behind its activations, it sets flags of an event. */
#define HRLI_SET_EVENT(event, flags) hrl_event_set(&event, flags);

/* In start-up code, before its interrupts are let through. */
#define HRLI_PREPARE_CELL_TABLE(name) prepare_cell_table(&name);

#endif
