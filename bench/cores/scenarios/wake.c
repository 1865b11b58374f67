/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_cores.h"
#include "bench_side.h"

/*
 * A thread of core 0 gives, and a thread of core 1 takes, which has nothing else to do. The pauses are long
 * enough for core 1 to be idle again. They differ, so that what happens at regular times does not meet each
 * round alike.
 */
enum { PAUSE = 4000, MORE = 256 };

BENCH_SEMAPHORE_DEFINE(token);

static __attribute__((noinline)) void give_for_ever(void *argument)
{
    (void)argument;
    for (uint32_t round = 0;; round = (round + 37) % MORE) {
        bench_pause(PAUSE + round);
        BENCH_MARK(give);
        BENCH_SEMAPHORE_GIVE(token);
    }
}

static __attribute__((noinline)) void take_for_ever(void *argument)
{
    (void)argument;
    for (;;) {
        BENCH_SEMAPHORE_TAKE(token);
        BENCH_MARK(woken);
    }
}

#if BENCH_BUSY /* otherwise unused */
static __attribute__((noinline)) void take_turns(void *argument)
{
    (void)argument;
    for (;;) {
        bench_yield();
    }
}
#endif

int main(void)
{
    BENCH_SEMAPHORE_PREPARE(token);
    bench_thread(0, 0, give_for_ever);
    bench_thread(1, 0, take_for_ever);
#if BENCH_BUSY /* the other scenario */
    for (unsigned core = 2; core < BENCH_CORES; core++) {
        bench_thread(core, 0, take_turns);
        bench_thread(core, 1, take_turns);
    }
#endif
    bench_run();
    return 1;
}
