/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"
#include "bench_mutex.h"
#include "bench_run.h"
#include "bench_thread.h"
#include <stddef.h>

/* A thread locks and unlocks a mutex; no other thread wants it. */
static void run(void *argument);

BENCH_THREAD_DEFINE(only, run, NULL, 2, 512)
BENCH_MUTEX_DEFINE(mutex);

static void run(void *argument)
{
    (void)argument;
    bench_quiet();
    for (int i = 0; i < BENCH_REPEATS; i++) {
        BENCH_MARK(start);
        BENCH_MUTEX_LOCK(mutex);
        BENCH_MUTEX_UNLOCK(mutex);
        BENCH_MARK(stop);
    }
    bench_finish();
}

int main(void)
{
    BENCH_MUTEX_PREPARE(mutex);
    BENCH_THREAD_START(only);
    bench_run();
    return 1;
}
