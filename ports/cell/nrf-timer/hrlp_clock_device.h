/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLOCK_DEVICE_H
#define HRLP_CLOCK_DEVICE_H

#include "hrlp_narrow_clock.h"
#include "nrf_timer.h"

/*
 * The clock is timer 0: 24 bits, which an interrupt at each half of the counter makes 32, or 32 bits, of which the
 * kernel is told the wrap. That interrupt may be up to half of the counter late (2^23 counts of 1 us: 8.3 s); reading
 * needs neither a lock nor a second look, as it adds what has been counted since that half's beginning. It captures into
 * a channel of its own: an interrupt that reads the clock in between makes the value that comes out later, not wrong.
 */

/* Cells count with the clock, or a part of a count behind it: none interrupts before its instant. */
#define HRLP_CELL_EARLY_COUNTS 0u
/* Less than half of a cell's shortest interval (min_counts of the boards). */
#define HRLP_CELL_START_COUNTS HRLP_NRF_TIMER_START_COUNTS

static inline uint32_t hrlp_nrf_timer_count(void)
{
    HRLP_NRF_TIMER(0)->capture[HRLP_NRF_TIMER_NOW] = 1;
    return HRLP_NRF_TIMER_GROUP(0, compare)[HRLP_NRF_TIMER_NOW];
}

static inline hrl_stamp hrlp_clock_read(void)
{
    uint32_t half;

    if (HRLP_NRF_TIMER_CLOCK_BITS == 32u) {
        return hrlp_nrf_timer_count();
    }
    half = hrlp_nrf_timer_clock.half;
    return half + ((hrlp_nrf_timer_count() - half) & HRLP_NRF_TIMER_CLOCK_MASK);
}

/* Goes on to the next half if its beginning has come. Context: any. */
void hrlp_nrf_timer_next_half(void);

/* The clock's handler asks this, too, so that it need not know of halves. */
static inline bool hrlp_clock_wrap_pending(void)
{
    if (__builtin_expect(HRLP_NRF_TIMER_GROUP(0, compared)[HRLP_NRF_TIMER_HALF] == 0, 1)) {
        return false;
    }
    hrlp_nrf_timer_next_half();
    return hrlp_nrf_timer_clock.wrapped != 0;
}

#endif
