/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "calls.h"
#include <hrl/cell_table.h>
#include <hrl/dispatcher.h>

/* The tables keep the state that the call before has left: each call may be made in any. */
static void do_nothing(const void *unused, uint32_t value)
{
    (void)unused, (void)value;
}

HRL_COUNTER_DEFINE(wheel, 99, 1);
static const struct hrl_table_action actions[] = {HRL_TABLE_CALL(do_nothing, HRLI_NONE, 0)};
static const struct hrl_expiry_point points[] = {HRL_EXPIRY_POINT(3, actions)};
HRL_SCHEDULE_TABLE_DEFINE_SYNC(table, &wheel, 10, HRL_REPEATING, points, HRL_SYNC_EXPLICIT, 1);
HRL_SCHEDULE_TABLE_DEFINE_SYNC(another, &wheel, 10, HRL_REPEATING, points, HRL_SYNC_EXPLICIT, 1);

static HRL_CELL_TABLE_DEFINE_BY_CLOCK(in_cells, &table);
static HRL_CELL_TABLE_DEFINE_BY_CLOCK(others, &another);

/* Of a system that has no dispatcher. */
static void dispatcher_set_mode(void)
{
    (void)hrl_dispatcher_set_mode(hrl_dispatcher_mode());
}

static void dispatcher_mode(void)
{
    (void)hrl_dispatcher_mode();
}

static void dispatcher_mode_name(void)
{
    (void)hrl_dispatcher_mode_name(hrl_dispatcher_mode());
}

static void dispatcher_start_relative(void)
{
    (void)hrl_dispatcher_start_relative(1);
}

static void dispatcher_start_absolute(void)
{
    (void)hrl_dispatcher_start_absolute(1);
}

static void dispatcher_stop(void)
{
    (void)hrl_dispatcher_stop();
}

static void dispatcher_state(void)
{
    (void)hrl_dispatcher_state();
}

static void dispatcher_synchronise(void)
{
    (void)hrl_dispatcher_synchronise(0);
}

static void dispatcher_set_asynchronous(void)
{
    (void)hrl_dispatcher_set_asynchronous();
}

static void counter_increment(void)
{
    hrl_counter_increment(&wheel);
}

static void counter_value(void)
{
    (void)hrl_counter_value(&wheel);
}

static void start_relative(void)
{
    (void)hrl_schedule_table_start_relative(&table, 1);
}

static void start_absolute(void)
{
    (void)hrl_schedule_table_start_absolute(&table, 1);
}

static void start_synchronous(void)
{
    (void)hrl_schedule_table_start_synchronous(&table);
}

static void stop(void)
{
    (void)hrl_schedule_table_stop(&table);
}

static void next(void)
{
    (void)hrl_schedule_table_next(&table, &another);
}

static void state(void)
{
    (void)hrl_schedule_table_state(&table);
}

static void synchronise(void)
{
    (void)hrl_schedule_table_synchronise(&table, 5);
}

static void set_asynchronous(void)
{
    (void)hrl_schedule_table_set_asynchronous(&table);
}

static void cells_start_relative(void)
{
    (void)hrl_cell_table_start_relative(&in_cells, 1);
}

static void cells_start_absolute(void)
{
    (void)hrl_cell_table_start_absolute(&in_cells, 1);
}

static void cells_stop(void)
{
    (void)hrl_cell_table_stop(&in_cells);
}

static void cells_next(void)
{
    (void)hrl_cell_table_next(&in_cells, &others);
}

static void cells_state(void)
{
    (void)hrl_cell_table_state(&in_cells);
}

const struct call table_calls[TABLE_CALLS] = {
    {"hrl_counter_increment", counter_increment},
    {"hrl_counter_value", counter_value},
    {"hrl_dispatcher_set_mode", dispatcher_set_mode},
    {"hrl_dispatcher_mode", dispatcher_mode},
    {"hrl_dispatcher_mode_name", dispatcher_mode_name},
    {"hrl_dispatcher_start_relative", dispatcher_start_relative},
    {"hrl_dispatcher_start_absolute", dispatcher_start_absolute},
    {"hrl_dispatcher_stop", dispatcher_stop},
    {"hrl_dispatcher_state", dispatcher_state},
    {"hrl_dispatcher_synchronise", dispatcher_synchronise},
    {"hrl_dispatcher_set_asynchronous", dispatcher_set_asynchronous},
    {"hrl_schedule_table_start_relative", start_relative},
    {"hrl_schedule_table_start_absolute", start_absolute},
    {"hrl_schedule_table_start_synchronous", start_synchronous},
    {"hrl_schedule_table_stop", stop},
    {"hrl_schedule_table_next", next},
    {"hrl_schedule_table_state", state},
    {"hrl_schedule_table_synchronise", synchronise},
    {"hrl_schedule_table_set_asynchronous", set_asynchronous},
    {"hrl_cell_table_start_relative", cells_start_relative},
    {"hrl_cell_table_start_absolute", cells_start_absolute},
    {"hrl_cell_table_stop", cells_stop},
    {"hrl_cell_table_next", cells_next},
    {"hrl_cell_table_state", cells_state},
};
