/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "../dispatch/bench_dispatch.h"
#include "bench_tables.h"
#include <stdint.h>

/* So many turns of nothing. */
static inline void run(uint32_t turns)
{
    for (uint32_t i = 0; i < turns; i++) {
        __asm__ volatile("" : : "r"(i));
    }
}

enum { FEW_TURNS = 30, MANY_TURNS = 250 };

void bench_held_first(void)
{
    run(FEW_TURNS);
}

void bench_held_second(void)
{
    run(FEW_TURNS);
    BENCH_UNLIKE("second");
}

void bench_held_third(void)
{
    run(MANY_TURNS);
}
