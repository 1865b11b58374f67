/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"
#include "bench_pool.h"
#include "bench_run.h"
#include "bench_thread.h"
#include <stddef.h>

/* A block of 64 bytes is taken and given back. */
static void run(void *argument);

BENCH_THREAD_DEFINE(only, run, NULL, 2, 512)
BENCH_POOL_DEFINE(pool, 64, 8)

static void run(void *argument)
{
    void *block = NULL;

    (void)argument;
    bench_quiet();
    for (int i = 0; i < BENCH_REPEATS; i++) {
        BENCH_MARK(start);
        BENCH_POOL_TAKE(pool, block);
        BENCH_POOL_GIVE(pool, block);
        BENCH_MARK(stop);
    }
    bench_finish();
}

int main(void)
{
    BENCH_POOL_PREPARE(pool);
    BENCH_THREAD_START(only);
    bench_run();
    return 1;
}
