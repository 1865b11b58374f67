/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Table II: a table of 8 expiry points is started, asked for its state and stopped, again and again. Each call is
 * alone in a function, so that what passes between the function's instructions is the call. No point comes.
 */
#include "bench_schedule.h"
#include <hrl/table_action.h>

enum { STEP = 10000, DURATION = 8 * STEP, FAR = 500000, TURNS = 1100 };

extern const struct hrl_basic basic_served;
static const struct hrl_table_action serves[] = {HRL_TABLE_ACTIVATE(&basic_served)};
static const struct hrl_expiry_point points[] = {
    HRL_EXPIRY_POINT(1 * STEP - 1, serves), HRL_EXPIRY_POINT(2 * STEP - 1, serves),
    HRL_EXPIRY_POINT(3 * STEP - 1, serves), HRL_EXPIRY_POINT(4 * STEP - 1, serves),
    HRL_EXPIRY_POINT(5 * STEP - 1, serves), HRL_EXPIRY_POINT(6 * STEP - 1, serves),
    HRL_EXPIRY_POINT(7 * STEP - 1, serves), HRL_EXPIRY_POINT(8 * STEP - 1, serves)};
HRL_SCHEDULE_TABLE_DEFINE(table, &bench_counter, DURATION, HRL_REPEATING, points);

static volatile enum hrl_status status;
static volatile enum hrl_table_state state;

void bench_start_table(void);
__attribute__((noinline)) void bench_start_table(void)
{
    status = hrl_schedule_table_start_relative(&table, FAR);
}

void bench_read_state(void);
__attribute__((noinline)) void bench_read_state(void)
{
    state = hrl_schedule_table_state(&table);
}

void bench_stop_table(void);
__attribute__((noinline)) void bench_stop_table(void)
{
    status = hrl_schedule_table_stop(&table);
}

void bench_calls(void);
void bench_calls(void)
{
    for (unsigned i = 0; i < TURNS; i++) {
        bench_start_table();
        bench_read_state();
        bench_stop_table();
    }
}
