/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_cores.h"
#include "bench_side.h"

/* On each core two threads that never wait: they share it by their slices. */
static __attribute__((noinline)) void run_one(void *argument)
{
    (void)argument;
    for (;;) {
        bench_pause(1000);
        BENCH_MARK(one);
    }
}

static __attribute__((noinline)) void run_other(void *argument)
{
    (void)argument;
    for (;;) {
        bench_pause(1000);
        BENCH_MARK(other);
    }
}

int main(void)
{
    for (unsigned core = 0; core < BENCH_CORES; core++) {
        bench_thread(core, 0, run_one);
        bench_thread(core, 1, run_other);
    }
    bench_run();
    return 1;
}
