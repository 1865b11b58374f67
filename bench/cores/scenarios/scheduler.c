/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_cores.h"
#include "bench_side.h"
#include "hrlp_cpu.h"

/* On each core one thread that goes to the scheduler for ever, as an interrupt would. */
static __attribute__((noinline)) void take_turns(void *argument)
{
    (void)argument;
    for (;;) {
        hrlp_cpu_request_switch();
        BENCH_MARK(turn);
    }
}

int main(void)
{
    for (unsigned core = 0; core < BENCH_CORES; core++) {
        bench_thread(core, 0, take_turns);
    }
    bench_run();
    return 1;
}
