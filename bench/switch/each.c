/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"
#include "bench_turns.h"

/*
 * Each call by itself, up to the first instruction after it; with two threads, which run the same code, after the
 * other's, so that it is one switch.
 */
static __attribute__((noinline)) void call_often(void)
{
    for (int i = 0; i < 1000; i++) {
        BENCH_MARK(start);
        BENCH_CALL();
        BENCH_MARK(stop);
    }
    bench_finish();
}

static void take_turns(void *argument)
{
    (void)argument;
    call_often();
}

static void take_turns_with(void *argument)
{
    (void)argument;
    call_often();
}
