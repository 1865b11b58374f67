/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"
#include "bench_turns.h"

/* 20,000 switches in a loop, with the loop and all interrupts that come: how often it goes round. */
static __attribute__((noinline)) void begin(void)
{
    BENCH_MARK(start);
}

static __attribute__((noinline)) void end(void)
{
    BENCH_MARK(stop);
}

static void take_turns(void *argument)
{
    (void)argument;
    begin();
    for (int i = 0; i < 20000 / BENCH_THREADS; i++) {
        BENCH_CALL();
    }
    end();
    bench_finish();
}

static void take_turns_with(void *argument)
{
    (void)argument;
    for (;;) {
        BENCH_CALL();
    }
}
