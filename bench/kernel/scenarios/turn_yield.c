/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"
#include "bench_run.h"
#include "bench_service.h"
#include "bench_thread.h"
#include <stddef.h>
#include <stdint.h>

/* Five threads of one level, each of which yields and counts. The turn is the round, from one of them to itself. */
static volatile uint32_t counts[5];

BENCH_SERVICE void yield(void)
{
    bench_yield();
}

#define YIELDER(n)                                                                                 \
    static void yield_##n(void *argument)                                                          \
    {                                                                                              \
        (void)argument;                                                                            \
        for (;;) {                                                                                 \
            yield();                                                                               \
            counts[n]++;                                                                           \
        }                                                                                          \
    }                                                                                              \
    BENCH_THREAD_DEFINE(t##n, yield_##n, NULL, 2, 512)
YIELDER(1)
YIELDER(2)
YIELDER(3)
YIELDER(4)

static void yield_0(void *argument)
{
    (void)argument;
    bench_quiet();
    for (;;) {
        yield();
        counts[0]++;
        BENCH_MARK(turn);
    }
}
BENCH_THREAD_DEFINE(t0, yield_0, NULL, 2, 512)

int main(void)
{
    BENCH_THREAD_START(t0);
    BENCH_THREAD_START(t1);
    BENCH_THREAD_START(t2);
    BENCH_THREAD_START(t3);
    BENCH_THREAD_START(t4);
    bench_run();
    return 1;
}
