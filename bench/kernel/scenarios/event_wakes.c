/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_event.h"
#include "bench_mark.h"
#include "bench_run.h"
#include "bench_thread.h"
#include <stddef.h>

/* From a less urgent thread's setting of a flag to the return from the waiting for any of two. */
enum { SET = 1, AWAITED = 3 };

static void wait(void *argument);
static void set(void *argument);

BENCH_THREAD_DEFINE(waiter, wait, NULL, 3, 512)
BENCH_THREAD_DEFINE(setter, set, NULL, 2, 512)
BENCH_EVENT_DEFINE(event);

static void wait(void *argument)
{
    (void)argument;
    for (;;) {
        BENCH_EVENT_WAIT(event, AWAITED);
        BENCH_MARK(stop);
    }
}

static void set(void *argument)
{
    (void)argument;
    bench_quiet();
    for (int i = 0; i < BENCH_REPEATS; i++) {
        BENCH_MARK(start);
        BENCH_EVENT_SET(event, SET);
    }
    bench_finish();
}

int main(void)
{
    BENCH_EVENT_PREPARE(event);
    BENCH_THREAD_START(waiter);
    BENCH_THREAD_START(setter);
    bench_run();
    return 1;
}
