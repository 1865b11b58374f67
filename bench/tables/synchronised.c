/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule table of Figure 5, on the board's clock. */
#include "bench_synchronised.h"
#include <hrl/clock_counter.h>
#include <hrl/table_action.h>

enum { HALF = BENCH_DURATION / 2, MOST = 100 };

extern const struct hrl_basic basic_served, basic_other;
HRL_CLOCK_COUNTER_DEFINE(bench_counter);
static const struct hrl_table_action serves[] = {HRL_TABLE_ACTIVATE(&basic_served)};
static const struct hrl_table_action others[] = {HRL_TABLE_ACTIVATE(&basic_other)};
static const struct hrl_expiry_point points[] = {
    HRL_EXPIRY_POINT_MOVABLE(0, serves, MOST, MOST),
    HRL_EXPIRY_POINT_MOVABLE(HALF, others, MOST, MOST)};
HRL_SCHEDULE_TABLE_DEFINE_SYNC(table, &bench_counter, BENCH_DURATION, HRL_REPEATING, points,
                               HRL_SYNC_EXPLICIT, BENCH_PRECISION);

enum hrl_status bench_start(uint32_t offset)
{
    return hrl_schedule_table_start_relative(&table, offset);
}

enum hrl_status bench_synchronise(uint32_t position)
{
    return hrl_schedule_table_synchronise(&table, position);
}
