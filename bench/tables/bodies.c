/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "../dispatch/bench_mix.h"
#include "bench_tables.h"

static volatile uint32_t table[16];

/* Turns take more cycles on Ibex than instructions on a Cortex-M, and a count is one cycle or 1.25 instructions. */
#ifdef __riscv
enum { TURNS = 175, DIVIDING_TURNS = 70 };
#else
enum { TURNS = 400, DIVIDING_TURNS = 300 };
#endif

void bench_table_low(void)
{
    static uint32_t seed = 1;
    uint32_t now = seed;

    for (uint32_t i = 0; i < TURNS; i++) {
        now = turn(table, now, i);
    }
    seed = now;
}

void bench_table_dividing(void)
{
    static uint32_t seed = 1;
    uint32_t now = seed;

    for (uint32_t i = 0; i < DIVIDING_TURNS; i++) {
        now = turn(table, now, i);
        table[0] = now / (table[1] | 1u);
    }
    seed = now;
}
