/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"
#include "bench_run.h"
#include "bench_thread.h"
#include <stddef.h>
#include <stdint.h>

/*
 * Five threads, each more urgent than the one before: each resumes the next, which runs at once; the last
 * one only counts. A sample is the whole chain, down and up again, with five counters.
 */
static volatile uint32_t counters[5];

static void last(void *argument);
static void fourth(void *argument);
static void third(void *argument);
static void second(void *argument);
static void first(void *argument);

BENCH_THREAD_DEFINE(t5, last, NULL, 6, 512)
BENCH_THREAD_DEFINE(t4, fourth, NULL, 5, 512)
BENCH_THREAD_DEFINE(t3, third, NULL, 4, 512)
BENCH_THREAD_DEFINE(t2, second, NULL, 3, 512)
BENCH_THREAD_DEFINE(t1, first, NULL, 2, 512)

static void last(void *argument)
{
    (void)argument;
    for (;;) {
        BENCH_THREAD_SUSPEND_SELF(t5);
        counters[4]++;
    }
}

#define LINK(function, self, next, n)                                                              \
    static void function(void *argument)                                                           \
    {                                                                                              \
        (void)argument;                                                                            \
        for (;;) {                                                                                 \
            BENCH_THREAD_SUSPEND_SELF(self);                                                       \
            BENCH_THREAD_RESUME(next);                                                             \
            counters[n]++;                                                                         \
        }                                                                                          \
    }
LINK(fourth, t4, t5, 3)
LINK(third, t3, t4, 2)
LINK(second, t2, t3, 1)

static void first(void *argument)
{
    (void)argument;
    bench_quiet();
    for (int i = 0; i < BENCH_REPEATS; i++) {
        BENCH_MARK(start);
        BENCH_THREAD_RESUME(t2);
        counters[0]++;
        BENCH_MARK(stop);
    }
    bench_finish();
}

int main(void)
{
    BENCH_THREAD_START(t5);
    BENCH_THREAD_START(t4);
    BENCH_THREAD_START(t3);
    BENCH_THREAD_START(t2);
    BENCH_THREAD_START(t1);
    bench_run();
    return 1;
}
