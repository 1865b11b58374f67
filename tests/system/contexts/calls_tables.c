/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "calls.h"
#include <hrl/schedule_table.h>

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

const struct call table_calls[TABLE_CALLS] = {
    {"hrl_counter_increment", counter_increment},
    {"hrl_counter_value", counter_value},
    {"hrl_schedule_table_start_relative", start_relative},
    {"hrl_schedule_table_start_absolute", start_absolute},
    {"hrl_schedule_table_start_synchronous", start_synchronous},
    {"hrl_schedule_table_stop", stop},
    {"hrl_schedule_table_next", next},
    {"hrl_schedule_table_state", state},
    {"hrl_schedule_table_synchronise", synchronise},
    {"hrl_schedule_table_set_asynchronous", set_asynchronous},
};
