/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figure 5: a schedule table on the board's clock follows a global time that goes faster or slower than that, by
 * bench_ppm parts in a million. The thread `master` knows the global time, and says it every 10 ms if
 * bench_says_it. The global time is 0 at the first job of that thread; the table starts late.
 */
#include "bench_synchronised.h"
#include <hrl/clock_counter.h>
#include <hrl/hooks.h>
#include <hrl/table_action.h>

enum {
    DURATION = 50000,
    HALF = DURATION / 2,
    MOST = 100,
    PRECISION = 75,
    LATE = 2000,
    MILLION = 1000000
};

extern const struct hrl_basic basic_served, basic_other;
HRL_CLOCK_COUNTER_DEFINE(bench_counter);
static const struct hrl_table_action serves[] = {HRL_TABLE_ACTIVATE(&basic_served)};
static const struct hrl_table_action others[] = {HRL_TABLE_ACTIVATE(&basic_other)};
static const struct hrl_expiry_point points[] = {
    HRL_EXPIRY_POINT_MOVABLE(0, serves, MOST, MOST),
    HRL_EXPIRY_POINT_MOVABLE(HALF, others, MOST, MOST)};
HRL_SCHEDULE_TABLE_DEFINE_SYNC(table, &bench_counter, DURATION, HRL_REPEATING, points,
                               HRL_SYNC_EXPLICIT, PRECISION);

static void expect(enum hrl_status status)
{
    if (status != HRL_OK) {
        hrl_assert_hook("a call was refused", __FILE__, __LINE__);
    }
}

void bench_master(void)
{
    static hrl_counts began;
    hrl_counts passed;

    if (began == 0) {
        began = hrl_now();
        expect(hrl_schedule_table_start_relative(&table, DURATION + LATE));
        return;
    }
    if (bench_says_it) {
        passed = hrl_now() - began;
        passed = passed * (hrl_counts)(MILLION + bench_ppm) / MILLION;
        expect(hrl_schedule_table_synchronise(&table, (uint32_t)(passed % DURATION)));
    }
}

void bench_served(void) {}

void bench_other(void) {}
