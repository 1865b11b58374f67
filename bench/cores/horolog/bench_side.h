/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SIDE_H
#define BENCH_SIDE_H

#include <hrl/kernel.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stddef.h>

/* Horolog's side. */
void bench_thread(unsigned core, unsigned number, void (*entry)(void *argument));

static inline void bench_run(void)
{
    hrl_start();
}

static inline void bench_yield(void)
{
    hrl_thread_yield();
}

#define BENCH_SEMAPHORE_DEFINE(name) HRL_SEMAPHORE_DEFINE(name, 0, 1)
#define BENCH_SEMAPHORE_PREPARE(name) ((void)0)
#define BENCH_SEMAPHORE_GIVE(name) ((void)hrl_semaphore_give(&(name)))
#define BENCH_SEMAPHORE_TAKE(name) ((void)hrl_semaphore_take(&(name), HRL_FOREVER))

/* Of threads that any core may run. */
#define BENCH_GLOBAL_DEFINE(name, entry, priority)                                                 \
    HRL_THREAD_DEFINE_GLOBAL((1u << BENCH_CORES) - 1u, name, entry, NULL, priority, 512)
#define BENCH_GLOBAL_START(name) hrl_thread_start(&(name))

typedef hrl_counts bench_instant;

static inline void bench_wait(bench_instant *last, unsigned ms)
{
    *last += (hrl_counts)ms * 50000u;
    hrl_thread_sleep_until(*last);
}

enum { BENCH_INSTANT_COUNTS = 100000 }; /* 2 ms */

static inline void bench_next_instant(void)
{
    hrl_counts now = hrl_now();

    hrl_thread_sleep_until(now - now % BENCH_INSTANT_COUNTS + BENCH_INSTANT_COUNTS);
}

#endif
