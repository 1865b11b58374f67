/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_mark.h"
#include "bench_run.h"
#include "bench_thread.h"
#include <stddef.h>

/* Two threads of one level, which run the same code: from one's yield to the other's return from its own. */
static void take_turns(void *argument)
{
    (void)argument;
    bench_quiet();
    for (int i = 0; i < BENCH_REPEATS / 2; i++) {
        BENCH_MARK(start);
        bench_yield();
        BENCH_MARK(stop);
    }
    bench_finish();
}

BENCH_THREAD_DEFINE(one, take_turns, NULL, 2, 512)
BENCH_THREAD_DEFINE(other, take_turns, NULL, 2, 512)

int main(void)
{
    BENCH_THREAD_START(one);
    BENCH_THREAD_START(other);
    bench_run();
    return 1;
}
