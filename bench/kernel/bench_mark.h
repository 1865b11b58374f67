/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_MARK_H
#define BENCH_MARK_H

#include "hrlp_cpu.h"

/*
 * `horolog bench kernel` on the target: how a scenario says what of it is measured.
 *
 * Nothing here measures, and a mark is no instruction: it names an address, which the tool's plugin
 * (plugin/horolog_spans.c) watches. A sample goes from the mark `start`, or from the first instruction of
 * BENCH_HANDLER in scenarios that have one, up to the mark `stop`, not included. In the scenario `sleep` its
 * first part ends at idle or at the mark `pause`, and its second begins with the timer's handler. In scenarios
 * turn_* a sample is a turn of a loop that counts, from the mark `turn` behind the counter's store to itself.
 *
 * A scenario is one source over the headers of one kernel's folder (horolog/, freertos/, threadx/; notify/, heap/
 * and freelist/ are other ways to do the same on FreeRTOS), which have the same names:
 *
 *   bench_thread.h     BENCH_THREAD_DEFINE, _START, _RESUME, _RESUME_FROM_INTERRUPT, _SUSPEND_SELF; bench_yield
 *   bench_run.h        bench_run; bench_quiet, after which no timer interrupts
 *   bench_time.h       bench_sleep_1_ms, bench_sleep_s, bench_sleep_until_us
 *   bench_line.h       BENCH_LINE_HANDLER, _ATTACH; bench_line_raise: an interrupt by the kernel's own calls
 *   bench_<service>.h  BENCH_<SERVICE>_DEFINE, _PREPARE, and what can be done with it
 *
 * An object's name stands for its address on every side, known when the program is linked; BENCH_<SERVICE>(name)
 * is the handle that the functions bench_<service>_* take. Calls that can wait wait for ever.
 */
#define BENCH_MARK(name)                                                                           \
    __asm__ volatile(".global bench_mark_" #name "\nbench_mark_" #name ":" : : : "memory")

#ifndef BENCH_REPEATS /* the build says how many samples; so that an editor understands the sources */
#define BENCH_REPEATS 1
#endif

/* All samples have been taken: the plugin writes what it has. */
_Noreturn void bench_finish(void);

#endif
