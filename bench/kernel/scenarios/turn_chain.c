/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"
#include "bench_run.h"
#include "bench_thread.h"
#include <stddef.h>
#include <stdint.h>

/*
 * Five threads, each of a higher priority than the one before: each resumes the next, which runs at once, counts,
 * and suspends itself, but for the first. The turn is the first one's: the whole chain, down and up again.
 */
static volatile uint32_t counts[5];

static void first(void *argument);
static void second(void *argument);
static void third(void *argument);
static void fourth(void *argument);
static void last(void *argument);

BENCH_THREAD_DEFINE(t0, first, NULL, 2, 512)
BENCH_THREAD_DEFINE(t1, second, NULL, 3, 512)
BENCH_THREAD_DEFINE(t2, third, NULL, 4, 512)
BENCH_THREAD_DEFINE(t3, fourth, NULL, 5, 512)
BENCH_THREAD_DEFINE(t4, last, NULL, 6, 512)
static const bench_thread threads[] = {BENCH_THREAD(t0), BENCH_THREAD(t1), BENCH_THREAD(t2),
                                       BENCH_THREAD(t3), BENCH_THREAD(t4)};

/* needs the above */
#include "turn_threads.h"

static void first(void *argument)
{
    (void)argument;
    bench_quiet();
    for (;;) {
        (void)resume(1);
        counts[0]++;
        BENCH_MARK(turn);
    }
}

#define LINK(function, n)                                                                          \
    static void function(void *argument)                                                           \
    {                                                                                              \
        (void)argument;                                                                            \
        for (;;) {                                                                                 \
            (void)suspend_self(n);                                                                 \
            (void)resume((n) + 1);                                                                 \
            counts[n]++;                                                                           \
        }                                                                                          \
    }
LINK(second, 1)
LINK(third, 2)
LINK(fourth, 3)

static void last(void *argument)
{
    (void)argument;
    for (;;) {
        (void)suspend_self(4);
        counts[4]++;
    }
}

int main(void)
{
    BENCH_THREAD_START(t4);
    BENCH_THREAD_START(t3);
    BENCH_THREAD_START(t2);
    BENCH_THREAD_START(t1);
    BENCH_THREAD_START(t0);
    bench_run();
    return 1;
}
