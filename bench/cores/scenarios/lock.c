/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_cores.h"
#include "bench_side.h"

/* All cores give a token and take it, for ever: each call holds the lock that the services of all cores share. */
BENCH_SEMAPHORE_DEFINE(token);

static __attribute__((noinline)) void give_and_take(void *argument)
{
    (void)argument;
    for (;;) {
        BENCH_SEMAPHORE_GIVE(token);
        BENCH_SEMAPHORE_TAKE(token);
    }
}

int main(void)
{
    BENCH_SEMAPHORE_PREPARE(token);
    for (unsigned core = 0; core < BENCH_CORES; core++) {
        bench_thread(core, 0, give_and_take);
    }
    bench_run();
    return 1;
}
