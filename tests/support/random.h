/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_RANDOM_H
#define SUPPORT_RANDOM_H

#include <stdint.h>

/* Reproducible random numbers (xorshift64*; Marsaglia, Vigna). Never seeded with 0. */
struct random {
    uint64_t state;
};

static inline uint32_t random_next(struct random *random)
{
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return (uint32_t)((random->state * 2685821657736338717u) >> 32);
}

/* One of 0 .. below - 1. */
static inline uint32_t random_below(struct random *random, uint32_t below)
{
    return (uint32_t)(((uint64_t)random_next(random) * below) >> 32);
}

/* One of low .. high. */
static inline uint32_t random_between(struct random *random, uint32_t low, uint32_t high)
{
    return low + random_below(random, high - low + 1u);
}

#endif
