/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CLOCK_H
#define HRLI_CLOCK_H

#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "hrlp_per_core.h"
#include <hrl/time.h>

/*
 * The 64-bit clock: the port's 32-bit counter below, the number of its wraps above. The upper half
 * is kept by the clock's wrap interrupt, so that reading the low half alone costs nothing. clock.pml
 * is a model of both sides.
 */

/* How often a narrow clock has wrapped, written by the upcall of its wrap interrupt. */
extern HRLP_PER_CORE volatile uint32_t hrli_clock_wraps;

/*
 * The upper half of the present instant. Context: a thread, interrupts enabled: elsewhere the last
 * wrap may be missing.
 */
static inline uint32_t hrli_clock_high(void)
{
    return HRLP_CLOCK_IS_WIDE ? hrlp_clock_read_high() : hrli_clock_wraps;
}

/* Starts the clock at 0. Context: start-up. */
void hrli_clock_start(void);

/*
 * What the clock's handler does at a wrap: acknowledges it by acknowledge(channel), counts it by
 * `wrapped`, both in one step as seen by an interrupt that calls hrl_now. Context: the clock's
 * handler.
 */
static inline __attribute__((always_inline)) void
hrli_clock_interrupt(void (*acknowledge)(unsigned channel), unsigned channel, void (*wrapped)(void))
{
    hrlp_irq_state state = hrlp_irq_lock();

    acknowledge(channel);
    wrapped();
    hrlp_irq_unlock(state);
}

#endif
