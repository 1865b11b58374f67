/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_cores.h"
#include "bench_side.h"

/* On each core one thread that yields for ever, or two that yield to one another. */
static __attribute__((noinline)) void take_turns(void *argument)
{
    (void)argument;
    for (;;) {
        bench_yield();
        BENCH_MARK(turn);
    }
}

int main(void)
{
    for (unsigned core = 0; core < BENCH_CORES; core++) {
        for (unsigned number = 0; number < BENCH_THREADS; number++) {
            bench_thread(core, number, take_turns);
        }
    }
    bench_run();
    return 1;
}
