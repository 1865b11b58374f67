/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"
#include "bench_run.h"
#include "bench_thread.h"
/* notify/ needs the above */
#include "bench_semaphore.h"
#include <stddef.h>

/* From the giving of a less urgent thread to the return from the taking. */
static void take(void *argument);
static void give(void *argument);

BENCH_THREAD_DEFINE(taker, take, NULL, 3, 512)
BENCH_THREAD_DEFINE(giver, give, NULL, 2, 512)
BENCH_SEMAPHORE_DEFINE(token, taker);

static void take(void *argument)
{
    (void)argument;
    for (;;) {
        BENCH_SEMAPHORE_TAKE(token);
        BENCH_MARK(stop);
    }
}

static void give(void *argument)
{
    (void)argument;
    bench_quiet();
    for (int i = 0; i < BENCH_REPEATS; i++) {
        BENCH_MARK(start);
        BENCH_SEMAPHORE_GIVE(token);
    }
    bench_finish();
}

int main(void)
{
    BENCH_SEMAPHORE_PREPARE(token);
    BENCH_THREAD_START(taker);
    BENCH_THREAD_START(giver);
    bench_run();
    return 1;
}
