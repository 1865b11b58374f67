/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_CORES_H
#define BENCH_CORES_H

#include <stdint.h>

/*
 * `horolog bench cores` on the target: how a scenario says what of it is measured. A mark is no instruction.
 * It names an address, and the simulator says in which cycles which core begins to execute what is there.
 *
 * A scenario is one source over the header bench_side.h of one kernel's folder:
 *
 *   bench_thread(core, number, entry)   a thread of `core`, number 0 or 1 there, all of one level; before bench_run
 *   bench_run()                         the kernel begins, and does not return
 *   bench_yield()
 *   BENCH_SEMAPHORE_DEFINE(name)        empty, holds one token
 *   BENCH_SEMAPHORE_PREPARE(name)       before bench_run
 *   BENCH_SEMAPHORE_GIVE(name), BENCH_SEMAPHORE_TAKE(name)   waits for ever
 *   bench_next_instant()                sleeps until the next instant of all threads: they lie 2 ms apart
 *   BENCH_GLOBAL_DEFINE(name, entry, priority)   a thread that any core may run
 *   BENCH_GLOBAL_START(name)            before bench_run
 *   bench_wait(bench_instant *last, ms) sleeps until `ms` behind *last, which is that instant then; 0 is the start
 */
#define BENCH_MARK(name)                                                                           \
    __asm__ volatile(".global bench_mark_" #name "\nbench_mark_" #name ":" : : : "memory")

#ifndef BENCH_CORES /* the build says how many; so that an editor understands the sources */
#define BENCH_CORES 2
#endif
#ifndef BENCH_THREADS /* threads a core that take turns */
#define BENCH_THREADS 1
#endif
#ifndef BENCH_BUSY /* 1: cores that have nothing to do in the scenario do what hinders the others */
#define BENCH_BUSY 0
#endif

/* DO(core) for each core: where something of each has a definition, or an initialiser. */
#if BENCH_CORES == 1 /* as the linker script has a place for the cores that there are */
#define BENCH_EACH_CORE(DO) DO(0)
#elif BENCH_CORES == 2
#define BENCH_EACH_CORE(DO) DO(0) DO(1)
#elif BENCH_CORES == 4
#define BENCH_EACH_CORE(DO) DO(0) DO(1) DO(2) DO(3)
#else
#define BENCH_EACH_CORE(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#endif

/* Executes for about three cycles a turn. */
static inline void bench_pause(uint32_t turns)
{
    do {
        __asm__ volatile("" : "+r"(turns));
    } while (--turns != 0);
}

#endif
