/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"
#include "bench_run.h"
#include "bench_thread.h"
/* notify/ needs the above */
#include "bench_semaphore.h"
#include <stddef.h>

/* No other thread wants the token. */
static void run(void *argument);

BENCH_THREAD_DEFINE(only, run, NULL, 2, 512)
BENCH_SEMAPHORE_DEFINE(token, only);

static void run(void *argument)
{
    (void)argument;
    bench_quiet();
    for (int i = 0; i < BENCH_REPEATS; i++) {
        BENCH_MARK(start);
        BENCH_SEMAPHORE_GIVE(token);
        BENCH_SEMAPHORE_TAKE(token);
        BENCH_MARK(stop);
    }
    bench_finish();
}

int main(void)
{
    BENCH_SEMAPHORE_PREPARE(token);
    BENCH_THREAD_START(only);
    bench_run();
    return 1;
}
