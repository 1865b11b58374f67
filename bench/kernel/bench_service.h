/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SERVICE_H
#define BENCH_SERVICE_H

/*
 * How a loop that counts its turns (scenarios/turn_*.c) calls the kernel.
 *
 * As portable benchmarks do: through a function for each service, which knows objects by number and returns
 * whether the kernel did what it was asked for. The compiler cannot inline it. With BENCH_DIRECT these functions
 * are inlined and the objects are constants, so that only the kernel's call is left.
 */
enum bench_status { BENCH_DONE, BENCH_FAILED };

#define BENCH_STATUS(worked) ((worked) ? BENCH_DONE : BENCH_FAILED)

#ifdef BENCH_DIRECT
#define BENCH_SERVICE static inline __attribute__((always_inline))
#define BENCH_NUMBERED(table, number, object) ((void)(number), (object))
#else
#define BENCH_SERVICE static __attribute__((noipa))
#define BENCH_NUMBERED(table, number, object) ((table)[number])
#endif

#endif
