/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLOCK_DEVICE_H
#define HRLP_CLOCK_DEVICE_H

#include "avr_timer16.h"
#include "hrlp_narrow_clock.h"

/* Cells count with the clock: none interrupts before its instant. */
#define HRLP_CELL_EARLY_COUNTS 0u

/*
 * The timer below, what its overflow interrupt has counted above. An overflow that has not been counted yet shows
 * in its flag; the timer is near 0 then, unless it has overflowed since it was read.
 */
static inline hrl_stamp hrlp_clock_read(void)
{
    uint8_t status = SREG;
    uint16_t low, high;

    __asm__ volatile("cli" : : : "memory");
    low = TCNT1;
    high = hrlp_avr_timer16.high;
    if ((HRLP_AVR_TIMER16_FLAGS & 1u << TOV1) != 0 && (low & 0x8000u) == 0) {
        high++;
    }
    SREG = status;
    __asm__ volatile("" : : : "memory");
    return (hrl_stamp)high << 16 | low;
}

/* Either the overflow's interrupt has found it, or it is still to come. */
static inline bool hrlp_clock_wrap_pending(void)
{
    return hrlp_avr_timer16.wrapped != 0 || (hrlp_avr_timer16.high == UINT16_MAX &&
                                             (HRLP_AVR_TIMER16_FLAGS & 1u << TOV1) != 0);
}

#endif
