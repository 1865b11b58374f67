/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_CONVERT_H
#define BENCH_CONVERT_H

#include "bench_mark.h"
#include "convert.h"

#ifndef BENCH_HZ /* the build says which clock; so that an editor understands the sources */
#define BENCH_HZ 25000000u
#endif

/* A conversion as one calls it: a function, and the call of it, for values from 0 to beyond a century. */
#define BENCH_CONVERT(RATIO)                                                                       \
    static __attribute__((noinline, noclone)) uint64_t convert(uint64_t value)                     \
    {                                                                                              \
        return hrli_scale(value, (struct hrli_ratio)RATIO(BENCH_HZ));                              \
    }                                                                                              \
                                                                                                   \
    int main(void)                                                                                 \
    {                                                                                              \
        for (unsigned bit = 0; bit < 62; bit++) {                                                  \
            uint64_t value = ((uint64_t)1 << bit) - 1u;                                            \
                                                                                                   \
            __asm__ volatile("" : "+r"(value) : : "memory");                                       \
            BENCH_MARK(start);                                                                     \
            value = convert(value);                                                                \
            BENCH_MARK(stop);                                                                      \
            __asm__ volatile("" : : "r"(value) : "memory");                                        \
        }                                                                                          \
        bench_finish();                                                                            \
    }

#endif
