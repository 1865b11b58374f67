/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figure 5: a table follows a global time that goes faster or slower than the board's clock, by bench_ppm parts in a
 * million. The thread `master` knows the global time, and says it every 10 ms if bench_says_it. The global time is 0
 * at the first job of that thread; the table starts late.
 */
#include "bench_synchronised.h"
#include <hrl/hooks.h>
#include <hrl/time.h>

enum { LATE = 2000, MILLION = 1000000 };

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
        expect(bench_start(BENCH_DURATION + LATE));
        return;
    }
    if (bench_says_it) {
        passed = hrl_now() - began;
        passed = passed * (hrl_counts)(MILLION + bench_ppm) / MILLION;
        expect(bench_synchronise((uint32_t)(passed % BENCH_DURATION)));
    }
}

void bench_served(void) {}

void bench_other(void) {}
