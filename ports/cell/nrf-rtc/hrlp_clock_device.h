/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLOCK_DEVICE_H
#define HRLP_CLOCK_DEVICE_H

#include "hrlp_narrow_clock.h"
#include "nrf_rtc.h"

/*
 * The clock is the RTC: 24 bits at 32,768 Hz, which an interrupt at each half of the counter makes 32. That interrupt may
 * be up to 2^23 counts (256 s) late; reading needs neither a lock nor a second look, as it adds what has been counted
 * since that half's beginning.
 */

/* Cells are comparisons with the clock's own counter: none interrupts before its instant. */
#define HRLP_CELL_EARLY_COUNTS 0u
/* Of 30.5 us: the nearest comparison, and one for the instructions. Boards have min_counts = 8 or more. */
#define HRLP_CELL_START_COUNTS 3u

static inline uint32_t hrlp_nrf_rtc_count(void)
{
    return HRLP_NRF_RTC_LOAD(HRLP_NRF_RTC_COUNTER);
}

static inline hrl_stamp hrlp_clock_read(void)
{
    uint32_t half = hrlp_nrf_rtc_clock.half;

    return half + ((hrlp_nrf_rtc_count() - half) & HRLP_NRF_RTC_MASK);
}

/* Goes on to the next half if its beginning has come. Context: any. */
void hrlp_nrf_rtc_next_half(void);

/* The clock's handler asks this, too, so that it need not know of halves. */
static inline bool hrlp_clock_wrap_pending(void)
{
    if (__builtin_expect(HRLP_NRF_RTC_LOAD(HRLP_NRF_RTC_COMPARED(HRLP_NRF_RTC_HALF)) != 0, 0)) {
        hrlp_nrf_rtc_next_half();
    }
    return hrlp_nrf_rtc_clock.wrapped != 0;
}

#endif
