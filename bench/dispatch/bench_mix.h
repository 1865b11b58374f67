/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_MIX_H
#define BENCH_MIX_H

#include <stdint.h>

/* Mixed code without calls: each turn loads and stores words of `table`, which has 16, multiplies, and branches. */

/* A generator of pseudo-random numbers (Numerical Recipes), so that branches go both ways. */
static inline uint32_t next(uint32_t seed)
{
    return seed * 1664525u + 1013904223u;
}

static inline uint32_t turn(volatile uint32_t *table, uint32_t seed, uint32_t i)
{
    seed = next(seed);
    table[seed >> 28] ^= seed;
    if ((seed & 0x10000u) != 0) {
        table[i & 15u] = table[(seed >> 20) & 15u] + i;
    }
    return seed;
}

#endif
