/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SERVICE_H
#define BENCH_SERVICE_H

#include <stdbool.h>

/*
 * How a loop that counts its turns (scenarios/turn_*.c) calls the kernel, and what it does beside.
 *
 * As portable benchmarks do: through a function for each service, which knows objects by number and returns
 * whether the kernel did what it was asked for. The compiler cannot inline it. The loop looks whether a call failed,
 * and other code than the loop counts, too (BENCH_BESIDE). With BENCH_DIRECT these functions are inlined, the
 * objects are constants and nothing is looked at, so that only the kernel's calls and one counter are left.
 */
enum bench_status { BENCH_DONE, BENCH_FAILED };

#define BENCH_STATUS(worked) ((worked) ? BENCH_DONE : BENCH_FAILED)

#ifdef BENCH_DIRECT
#define BENCH_SERVICE static inline __attribute__((always_inline))
#define BENCH_NUMBERED(table, number, object) ((void)(number), (object))
#define BENCH_FAILED_IN(call) ((void)(call), false)
#define BENCH_BESIDE(statement) ((void)0)
#else
#define BENCH_SERVICE static __attribute__((noipa))
#define BENCH_NUMBERED(table, number, object) ((table)[number])
#define BENCH_FAILED_IN(call) ((call) != BENCH_DONE)
#define BENCH_BESIDE(statement) (statement)
#endif

#endif
