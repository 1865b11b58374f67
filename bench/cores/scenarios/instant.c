/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_cores.h"
#include "bench_side.h"

/* On each core one thread; all wait for the same instants. */
static __attribute__((noinline)) void wait_for_ever(void *argument)
{
    (void)argument;
    for (;;) {
        bench_next_instant();
        BENCH_MARK(instant);
    }
}

int main(void)
{
    for (unsigned core = 0; core < BENCH_CORES; core++) {
        bench_thread(core, 0, wait_for_ever);
    }
    bench_run();
    return 1;
}
