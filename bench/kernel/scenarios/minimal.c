/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"
#include "bench_run.h"
#include "bench_semaphore.h"
#include "bench_thread.h"
#include "bench_time.h"
#include <stddef.h>

/* Two threads and a semaphore: one produces every millisecond, the other consumes. Only its size counts. */
static void produce(void *argument);
static void consume(void *argument);

BENCH_THREAD_DEFINE(consumer, consume, NULL, 3, 512)
BENCH_THREAD_DEFINE(producer, produce, NULL, 2, 512)
BENCH_SEMAPHORE_DEFINE(token, consumer);

static void produce(void *argument)
{
    (void)argument;
    for (;;) {
        bench_sleep_1_ms();
        BENCH_SEMAPHORE_GIVE(token);
    }
}

static void consume(void *argument)
{
    (void)argument;
    for (int i = 0; i < BENCH_REPEATS; i++) {
        BENCH_SEMAPHORE_TAKE(token);
    }
    bench_finish();
}

int main(void)
{
    BENCH_SEMAPHORE_PREPARE(token);
    BENCH_THREAD_START(consumer);
    BENCH_THREAD_START(producer);
    bench_run();
    return 1;
}
