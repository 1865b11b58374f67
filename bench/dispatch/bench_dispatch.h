/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_DISPATCH_H
#define BENCH_DISPATCH_H

/*
 * What the tasks of `horolog bench dispatch` do, the same source under every kernel. Nothing here measures:
 * the simulator and the emulator watch where these functions begin and end.
 */

/* No code, but of two functions that do the same the compiler makes one unless they differ by it. */
#define BENCH_UNLIKE(name) __asm__ volatile("/* " name " */")

/* As short as a body can be: counts. */
void bench_short(void);

/* As bench_short, for the task that comes next. */
void bench_next(void);

/* As bench_short, but changes every register that a call may change. */
void bench_wide(void);

/*
 * Long: mixed code without calls; its branches depend on what it computes. Ends long after the run.
 */
void bench_background(void);

/* As bench_background, with a division in every turn, which the processor does not interrupt. */
void bench_dividing(void);

/* Figure 7: an urgent task that runs for some time, and two others, for less. */
void bench_urgent(void);
void bench_first(void);
void bench_second(void);

#endif
