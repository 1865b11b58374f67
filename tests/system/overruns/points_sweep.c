/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/basic.h>
#include <hrl/hooks.h>

/*
 * On timer cells: a task at 0 and 1000 of 2300 cycles. The jobs of its first point end a cycle later each,
 * from well before the second point to behind it. Each point has a job or is an overrun, and none is both.
 */
#define TIME (*(volatile uint32_t *)0xFFFFFF20u)

enum { ROUND = 2300, SECOND = 1000, STEPS = 128 };

void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);
void points(void);

static uint32_t first;
static uint32_t jobs;
static uint32_t rounds;
static uint32_t overruns;

void hrl_basic_overrun_hook(const struct hrl_basic *task)
{
    (void)task;
    overruns++;
}

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

/* Prints rounds, the overruns, and how many points were neither. */
void points(void)
{
    uint32_t now = TIME;
    uint32_t phase;

    if (jobs++ == 0) {
        first = now - 100;
    }
    phase = (now - first) % ROUND;
    if (phase > SECOND / 2) {
        return;
    }
    if (rounds++ == STEPS) {
        print(rounds);
        print(overruns);
        print(2 * rounds - 1 - jobs - overruns);
        hrlp_cpu_halt(0);
    }
    while (TIME - (now - phase) < SECOND + 80 - STEPS) {
    }
    wait(rounds - 1);
}
