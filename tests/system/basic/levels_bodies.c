/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include <hrl/basic.h>

/*
 * Each job prints its task's letter, lower case when it has ended. `control` is so long, every
 * second time, that `sample` comes into it; `report` ends from a nested call.
 */
void hrl_gen_body_0(void);
void hrl_gen_body_1(void);
void hrl_gen_body_2(void);
void hrl_gen_body_3(void);
void hrl_gen_body_4(void);
void hrl_gen_body_5(void);

static void work(uint32_t turns)
{
    for (uint32_t i = 0; i < turns; i++) {
        __asm__ volatile("");
    }
}

void hrl_gen_body_0(void)
{
    static uint32_t jobs;

    hrlp_cpu_print("S");
    if (++jobs == 17) {
        hrlp_cpu_print("\n");
        hrlp_cpu_halt(0);
    }
}

void hrl_gen_body_1(void)
{
    static uint32_t jobs;

    hrlp_cpu_print("C");
    if (++jobs % 2 == 0) {
        work(20000);
    }
    hrlp_cpu_print("c");
}

void hrl_gen_body_2(void)
{
    hrlp_cpu_print("F");
}

void hrl_gen_body_3(void)
{
    hrlp_cpu_print("L");
}

static __attribute__((noinline)) void deepest(void)
{
    hrl_basic_terminate();
}

static __attribute__((noinline)) void deep(void)
{
    deepest();
    hrlp_cpu_print("never");
}

void hrl_gen_body_4(void)
{
    hrlp_cpu_print("R");
    deep();
}

void hrl_gen_body_5(void)
{
    hrlp_cpu_print("B");
}
