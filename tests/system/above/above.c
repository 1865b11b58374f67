/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <hrl/interrupt.h>
#include <hrl/time.h>
#include <stddef.h>
#include <stdint.h>

/*
 * An interrupt above the kernel comes while a stepped cell is started anew. `third` is released three times a
 * millisecond. Once in a round of six jobs it masks interrupts for longer than an interval, so that the cell's
 * handler is late and starts the cell anew; TIMER1 interrupts a little later from round to round, so that it
 * comes between any two instructions of that start. Then the jobs of the round must still be on their instants.
 */
enum { ROUNDS = 900, JOBS = 6, HANDLER_COUNTS = 300, MASKED_COUNTS = 16667 + 3000, LINE = 9 };

struct timer {
    volatile uint32_t control, value, reload, interrupt;
};
#define TIMER1 ((struct timer *)0x40001000u)
#define CLOCK (~*(volatile uint32_t *)0x40002024u)

void hrlp_cpu_print(const char *text);
_Noreturn void hrlp_cpu_halt(int status);
void prepare(void);
void third(void);

static unsigned jobs, rounds, late_in_round, shifted;
static uint64_t zero;

static void take_time(void *argument)
{
    uint32_t from = CLOCK;

    (void)argument;
    TIMER1->interrupt = 1;
    while (CLOCK - from < HANDLER_COUNTS) {
    }
}

void prepare(void)
{
    hrl_interrupt_attach(LINE, take_time, NULL);
    (void)hrl_interrupt_enable(LINE, 7);
}

static void delay_the_cell(void)
{
    hrl_interrupt_state state = hrl_interrupt_lock();
    uint32_t from = CLOCK;

    while (CLOCK - from < MASKED_COUNTS) {
    }
    TIMER1->control = 0;
    TIMER1->reload = 0;
    TIMER1->value = 10u + rounds / 2u;
    TIMER1->control = 9;
    hrl_interrupt_unlock(state);
}

void third(void)
{
    uint64_t now = hrl_now(), nearest;

    zero = zero == 0 ? now : zero;
    nearest = ((now - zero) * 3u + 12500u) / 25000u; /* releases since the first */
    if ((int64_t)(now - zero - nearest * 25000u / 3u) > HANDLER_COUNTS / 2) {
        late_in_round++;
    }
    if (++jobs % JOBS != 0) {
        return;
    }
    /* The first two jobs of a round come late in any case: the mask has delayed them. */
    shifted += late_in_round >= JOBS - 2 && rounds > 0;
    late_in_round = 0;
    if (rounds++ == ROUNDS) {
        hrlp_cpu_print(shifted != 0 ? "verdict: releases were late until the next start\n"
                                    : "verdict: all holds\n");
        hrlp_cpu_halt(0);
    }
    delay_the_cell();
}
