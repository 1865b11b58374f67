/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "../dispatch/bench_mix.h"
#include "bench_tables.h"

static volatile uint32_t table[16];
static volatile uint32_t jobs;

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

void bench_keeping(void)
{
    jobs = jobs + 1;
#ifdef __riscv
    __asm__ volatile("li s0, 0\n\tli s1, 0\n\tli s2, 0\n\tli s3, 0\n\tli s4, 0\n\tli s5, 0\n\t"
                     "li s6, 0\n\tli s7, 0\n\tli s8, 0\n\tli s9, 0\n\tli s10, 0\n\tli s11, 0"
                     :
                     :
                     : "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11");
#else
    __asm__ volatile("movs r4, #0\n\tmovs r5, #0\n\tmovs r6, #0\n\tmovs r7, #0\n\t"
                     "mov r8, r4\n\tmov r9, r4\n\tmov r10, r4\n\tmov r11, r4"
                     :
                     :
                     : "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11");
#endif
}
