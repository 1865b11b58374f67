/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SWEEPING_H
#define SWEEPING_H

#include <stdint.h>

/* What the sweeps on timer cells share: jobs that end an instruction later each, up to STEPS, and the print. */
#define TIME (*(volatile uint32_t *)0xFFFFFF20u)

enum { STEPS = 128 };

void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);

/* Returns so many instructions later, up to STEPS. */
static __attribute__((noinline)) void wait(uint32_t instructions)
{
    __asm__ volatile("la t0, 1f\n\t"
                     "slli t1, %0, 2\n\t"
                     "sub t0, t0, t1\n\t"
                     "jr t0\n\t"
                     ".option push\n\t"
                     ".option norvc\n\t"
                     ".rept %c1\n\t"
                     "nop\n\t"
                     ".endr\n\t"
                     ".option pop\n"
                     "1:"
                     :
                     : "r"(instructions), "i"(STEPS)
                     : "t0", "t1", "memory");
}

static void print(uint32_t number)
{
    char text[] = "0000\n";

    for (int at = 3; at >= 0; at--, number /= 10) {
        text[at] = (char)('0' + number % 10);
    }
    hrlp_cpu_print(text);
}

#endif
