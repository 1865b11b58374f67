/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_TURNS_H
#define BENCH_TURNS_H

#include "bench_run.h"
#include "bench_thread.h"
#include <stddef.h>

/*
 * `horolog bench switch` on the target: one or two equal threads that call BENCH_CALL, the scheduler or a yield.
 * What is measured is what bench_mark.h says; one source over both kernels' headers of bench/kernel.
 */
#ifndef BENCH_CALL /* the build says which; so that an editor understands the sources */
#define BENCH_CALL bench_yield
#define BENCH_THREADS 1
#endif

static void take_turns(void *argument); /* the first, to be measured, and the other */
static void take_turns_with(void *argument);

BENCH_THREAD_DEFINE(one, take_turns, NULL, 2, 512)
BENCH_THREAD_DEFINE(other, take_turns_with, NULL, 2, 512)

int main(void)
{
    BENCH_THREAD_START(one);
    if (BENCH_THREADS == 2) {
        BENCH_THREAD_START(other);
    }
    bench_run();
    return 1;
}

#endif
