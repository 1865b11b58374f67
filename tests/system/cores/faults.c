/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/interrupt.h>
#include <hrl/kernel.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A thread of core 1 of mps2-an521 or pico-x2 does one wrong thing, whose number the emulator of the first writes into
 * the last word of RAM; that of the other is compiled with it.
 */
#ifndef PROVOKED
#define PROVOKED (*(volatile uint32_t *)0x383FFFFCu)
#endif
enum { FREE_LINE = 20 };

static void recurse(volatile uint32_t *above)
{
    volatile uint32_t here[16] = {*above};

    recurse(here);
    *above = here[0];
}

static void overflow(void *argument)
{
    volatile uint32_t above = 1;

    (void)argument;
    recurse(&above);
}

/* Farther than any guard would reach: the limit is asked before the pointer moves. */
static void jump_far_below(void)
{
    volatile uint32_t here[4096];

    here[0] = 1;
}

static void culprit_entry(void *argument)
{
    (void)argument;
    hrl_thread_sleep_for(HRL_MS(1)); /* the other core goes on meanwhile */
    if (PROVOKED == 0) {
        *(volatile uint32_t *)0xA0000000u = 1;
    }
    if (PROVOKED == 3) {
        overflow(NULL);
    }
    if (PROVOKED == 4) {
        jump_far_below();
    }
    if (PROVOKED == 2) {
        hrl_interrupt_attach(FREE_LINE, overflow, NULL);
    }
    (void)hrl_interrupt_enable(FREE_LINE, HRL_INTERRUPT_KERNEL);
    (void)hrl_interrupt_raise(FREE_LINE);
    for (;;) {
    }
}

HRL_THREAD_DEFINE_ON(1, culprit, culprit_entry, NULL, 3, 1024);

int main(void)
{
    hrl_thread_start(&culprit);
    hrl_start();
}
