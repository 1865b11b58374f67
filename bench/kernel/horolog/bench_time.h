/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_TIME_H
#define BENCH_TIME_H

#include <hrl/thread.h>

enum { BENCH_COUNTS_PER_US = 25 };

static inline void bench_sleep_1_ms(void)
{
    hrl_thread_sleep_for((hrl_counts)1000u * BENCH_COUNTS_PER_US);
}

static inline void bench_sleep_s(uint32_t seconds)
{
    hrl_thread_sleep_for((hrl_counts)seconds * 1000000u * BENCH_COUNTS_PER_US);
}

/* Microseconds since the start. */
static inline void bench_sleep_until_us(uint32_t instant)
{
    hrl_thread_sleep_until((hrl_counts)instant * BENCH_COUNTS_PER_US);
}

#endif
