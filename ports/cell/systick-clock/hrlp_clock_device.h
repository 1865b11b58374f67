/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLOCK_DEVICE_H
#define HRLP_CLOCK_DEVICE_H

#include "hrlp_narrow_clock.h"
#include "systick_clock.h"

#define HRLP_CLOCK_READS_MASKED

static inline uint32_t hrlp_systick_clock_low(void)
{
    return (0u - HRLP_SYSTICK_CLOCK->value) & (HRLP_SYSTICK_CLOCK_COUNTS - 1u);
}

/*
 * What was counted above the 24 bits, and these. A wrap that has not been counted shows as pending: then the 24 bits
 * are read again, as they may have been read before the wrap, and as drivers that set counters by the clock count on
 * the time that passes behind the reading. Context: interrupts masked.
 */
static inline hrl_stamp hrlp_systick_clock_now(uint32_t high)
{
    uint32_t low = hrlp_systick_clock_low();

    if (__builtin_expect((HRLP_SYSTICK_CLOCK_ICSR & HRLP_SYSTICK_CLOCK_IS_PENDING) != 0, 0)) {
        high += HRLP_SYSTICK_CLOCK_COUNTS;
        low = hrlp_systick_clock_low();
        (void)HRLP_SYSTICK_CLOCK_ICSR; /* as behind the first reading */
    }
    return high | low;
}

static inline hrl_stamp hrlp_clock_read_masked(void)
{
    return hrlp_systick_clock_now(hrlp_systick_clock.high);
}

/* The same, again if a wrap was counted meanwhile. */
static inline hrl_stamp hrlp_clock_read(void)
{
    uint32_t high;
    hrl_stamp now;

    do {
        high = hrlp_systick_clock.high;
        now = hrlp_systick_clock_now(high);
    } while (high != hrlp_systick_clock.high);
    return now;
}

static inline uint16_t hrlp_clock_read_low(void)
{
    return (uint16_t)hrlp_clock_read_masked();
}

static inline uint16_t hrlp_clock_upper(void)
{
    return (uint16_t)(hrlp_systick_clock.high >> 16);
}

/* Either the interrupt has counted it, or it is still to come. */
static inline bool hrlp_clock_wrap_pending(void)
{
    return hrlp_systick_clock.wrapped != 0 ||
           (hrlp_systick_clock.high == 0u - HRLP_SYSTICK_CLOCK_COUNTS &&
            (HRLP_SYSTICK_CLOCK_ICSR & HRLP_SYSTICK_CLOCK_IS_PENDING) != 0);
}

#endif
