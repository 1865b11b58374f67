/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"
#include "bench_pool.h"
#include "bench_run.h"
#include "bench_service.h"
#include "bench_thread.h"
#include <stddef.h>
#include <stdint.h>

/* A turn: the thread takes a block of 128 bytes and gives it back. */
static volatile uint32_t count;

static void run(void *argument);

BENCH_THREAD_DEFINE(only, run, NULL, 2, 512)
BENCH_POOL_DEFINE(pool, 128, 8)
static bench_pool pools[1];

BENCH_SERVICE enum bench_status take(unsigned number, void **block)
{
    return BENCH_STATUS(bench_pool_take(BENCH_NUMBERED(pools, number, BENCH_POOL(pool)), block));
}

BENCH_SERVICE enum bench_status give(unsigned number, void *block)
{
    return BENCH_STATUS(bench_pool_give(BENCH_NUMBERED(pools, number, BENCH_POOL(pool)), block));
}

static void run(void *argument)
{
    void *block = NULL;

    (void)argument;
    bench_quiet();
    for (;;) {
        (void)take(0, &block);
        if (BENCH_FAILED_IN(give(0, block))) {
            break;
        }
        count++;
        BENCH_MARK(turn);
    }
    bench_finish();
}

int main(void)
{
    BENCH_POOL_PREPARE(pool);
    pools[0] = BENCH_POOL(pool);
    BENCH_THREAD_START(only);
    bench_run();
    return 1;
}
