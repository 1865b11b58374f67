/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

/*
 * TIMER1 of the MPS2 interrupts every 97 counts above the kernel, while two threads call it all the time. It comes
 * in the kernel's locked sections, too (BASEPRI is not 0 then), and never late.
 */
enum { PERIOD = 97, LINE = 9, ROUNDS = 20000 };
struct timer {
    volatile uint32_t control, value, reload, interrupt;
};
#define TIMER1 ((struct timer *)0x40001000u)

static volatile uint32_t taken, locked, latest, served;
static void serve(void *argument);
static void ask(void *argument);
HRL_THREAD_DEFINE(server, serve, NULL, 5, 512);
HRL_THREAD_DEFINE(asker, ask, NULL, 2, 1024);
HRL_SEMAPHORE_DEFINE(wanted, 0, 1);

/* The counter goes on from its reload value: it says how long ago the interrupt was. */
static void count(void *argument)
{
    uint32_t ago = PERIOD - 1 - TIMER1->value, basepri;

    (void)argument;
    TIMER1->interrupt = 1;
    __asm__ volatile("mrs %0, basepri" : "=r"(basepri));
    locked += basepri != 0;
    latest = ago > latest ? ago : latest;
    taken++;
}

static void serve(void *argument)
{
    (void)argument;
    for (;;) {
        (void)hrl_semaphore_take(&wanted, HRL_FOREVER);
        served++;
    }
}

static void check(const char *what, int holds)
{
    hrlp_cpu_print(holds ? "PASS " : "FAIL ");
    hrlp_cpu_print(what);
    hrlp_cpu_print("\n");
}

static void ask(void *argument)
{
    hrl_counts began;
    uint32_t due;

    (void)argument;
    hrl_interrupt_attach(LINE, count, NULL);
    (void)hrl_interrupt_enable(LINE, HRL_INTERRUPT_HIGHEST);
    TIMER1->reload = PERIOD - 1;
    TIMER1->value = PERIOD - 1;
    began = hrl_now();
    TIMER1->control = 9;
    for (int i = 0; i < ROUNDS; i++) {
        (void)hrl_semaphore_give(&wanted);
    }
    due = (uint32_t)(hrl_now() - began) / PERIOD;
    TIMER1->control = 0;
    check("the kernel lost nothing", served == ROUNDS);
    check("no interrupt was lost", taken >= due - 1u && taken <= due + 1u);
    check("many came in locked sections", locked > taken / 20u && locked < taken);
    check("none was late", latest < 20u);
    hrlp_cpu_halt(0);
}

int main(void)
{
    hrl_thread_start(&server);
    hrl_thread_start(&asker);
    hrl_start();
    return 1;
}
