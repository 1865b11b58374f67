/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_dispatch.h"
#include "bench_mix.h"
#include <stdint.h>

static volatile uint32_t jobs;
static volatile uint32_t table[16];

enum { TURNS = 100000000 };

void bench_short(void)
{
    jobs = jobs + 1;
}

void bench_next(void)
{
    jobs = jobs + 1;
    BENCH_UNLIKE("next");
}

void bench_wide(void)
{
    jobs = jobs + 1;
#ifdef __riscv
    __asm__ volatile("li ra, 0\n\tli t0, 0\n\tli t1, 0\n\tli t2, 0\n\tli a0, 0\n\tli a1, 0\n\t"
                     "li a2, 0\n\tli a3, 0\n\tli a4, 0\n\tli a5, 0\n\tli a6, 0\n\tli a7, 0\n\t"
                     "li t3, 0\n\tli t4, 0\n\tli t5, 0\n\tli t6, 0"
                     :
                     :
                     : "ra", "t0", "t1", "t2", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t3",
                       "t4", "t5", "t6");
#else
    __asm__ volatile("movs r0, #0\n\tmovs r1, #0\n\tmovs r2, #0\n\tmovs r3, #0\n\tmov r12, r0"
                     :
                     :
                     : "r0", "r1", "r2", "r3", "r12");
#endif
}

/* So many turns of nothing. */
static inline void run(uint32_t turns)
{
    for (uint32_t i = 0; i < turns; i++) {
        __asm__ volatile("" : : "r"(i));
    }
}

enum { URGENT_TURNS = 8000, OTHER_TURNS = 1000 };

void bench_urgent(void)
{
    run(URGENT_TURNS);
}

void bench_first(void)
{
    run(OTHER_TURNS);
}

void bench_second(void)
{
    run(OTHER_TURNS);
    BENCH_UNLIKE("second");
}

void bench_background(void)
{
    uint32_t seed = 1;

    for (uint32_t i = 0; i < TURNS; i++) {
        seed = turn(table, seed, i);
    }
}

void bench_dividing(void)
{
    uint32_t seed = 1;

    for (uint32_t i = 0; i < TURNS; i++) {
        seed = turn(table, seed, i);
        table[0] = seed / (table[1] | 1u);
    }
}
