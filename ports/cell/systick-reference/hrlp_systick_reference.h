/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_SYSTICK_REFERENCE_H
#define HRLP_SYSTICK_REFERENCE_H

#include "hrlp_irq.h"
#include <hrl/types.h>
#include <stdbool.h>

/*
 * SysTick by its reference clock (Armv6-M Architecture Reference Manual, B3.3; CLKSOURCE is 0), for the ends of time
 * slices. On the RP2040 that is the tick of TIMER (RP2040 Datasheet, 2.4.5.1.1), so that a count is one of the board's
 * clock. Each core has one. The next tick loads what is counted down, so a slice ends up to a count late, and none
 * early. `counts` are 1 to 2^24 - 1.
 */
struct hrlp_systick_reference {
    volatile uint32_t control, reload, value;
};
#define HRLP_SYSTICK_REFERENCE ((struct hrlp_systick_reference *)0xE000E010u)
#define HRLP_SYSTICK_REFERENCE_LINE (-1)

enum {
    HRLP_SYSTICK_REFERENCE_ON = 1u << 0 | 1u << 1, /* with its interrupt */
    HRLP_SYSTICK_REFERENCE_COUNTED_TO_0 = 1u << 16
};

static inline void hrlp_systick_reference_prepare(unsigned channel, unsigned priority)
{
    (void)channel;
    hrlp_irq_enable_at(HRLP_SYSTICK_REFERENCE_LINE, priority);
}

/* Taking the exception has cleared its cause already. */
static inline void hrlp_systick_reference_acknowledge(unsigned channel)
{
    (void)channel;
}

/* Writing the value clears it, and the flag that says that 0 was reached; the next tick loads what it counts from. */
static inline void hrlp_systick_reference_slice_restart(unsigned channel)
{
    (void)channel;
    HRLP_SYSTICK_REFERENCE->value = 0;
}

static inline void hrlp_systick_reference_slice_start(unsigned channel, uint32_t counts)
{
    HRLP_SYSTICK_REFERENCE->reload = counts;
    hrlp_systick_reference_slice_restart(channel);
    HRLP_SYSTICK_REFERENCE->control = HRLP_SYSTICK_REFERENCE_ON;
}

static inline bool hrlp_systick_reference_slice_is_over(unsigned channel)
{
    (void)channel; /* reading clears it */
    return (HRLP_SYSTICK_REFERENCE->control & HRLP_SYSTICK_REFERENCE_COUNTED_TO_0) != 0;
}

/* Waits for a tick, up to a count, as the counts of the slices behind it are set when `by` is loaded. */
static inline void hrlp_systick_reference_slice_prolong(unsigned channel, uint32_t by,
                                                        uint32_t counts)
{
    hrlp_systick_reference_slice_start(channel, by);
    while (HRLP_SYSTICK_REFERENCE->value == 0) {
    }
    HRLP_SYSTICK_REFERENCE->reload = counts;
}

#endif
