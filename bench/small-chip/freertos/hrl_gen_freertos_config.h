/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* What the generator writes for a system, by hand: the chip's clock, BENCH_CPU_HZ, and a tick that it gives exactly. */
#define HRL_GEN_CPU_HZ BENCH_CPU_HZ
#define HRL_GEN_TICK_HZ 1000
#define HRL_GEN_TICK_PRESCALER 64
#define HRL_GEN_TICK_SELECT 3
#define HRL_GEN_TICK_BITS 16
#ifdef BENCH_TICK_HOOK
#define HRL_GEN_PRIORITIES 3 /* idle, and those of the two threads */
#else
#define HRL_GEN_PRIORITIES 4 /* and the timers' */
#endif
