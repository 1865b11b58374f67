/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"
#include "bench_run.h"
#include "bench_thread.h"
#include <stddef.h>
#include <stdint.h>

/* A turn: the thread takes its semaphore and gives it back. */
static volatile uint32_t count;

static void run(void *argument);

BENCH_THREAD_DEFINE(only, run, NULL, 2, 512)

/* needs the thread */
#include "turn_token.h"

static void run(void *argument)
{
    (void)argument;
    bench_quiet();
    (void)give(0);
    for (;;) {
        (void)take(0);
        if (BENCH_FAILED_IN(give(0))) {
            break;
        }
        count++;
        BENCH_MARK(turn);
    }
    bench_finish();
}

int main(void)
{
    prepare_token();
    BENCH_THREAD_START(only);
    bench_run();
    return 1;
}
