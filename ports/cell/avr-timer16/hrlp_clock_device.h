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
    union { /* as the compiler makes shifts of the halves */
        uint16_t halves[2];
        hrl_stamp stamp;
    } now;

    __asm__ volatile("cli" : : : "memory");
    now.halves[0] = TCNT1;
    now.halves[1] = hrlp_avr_timer16.high;
    if ((HRLP_AVR_TIMER16_FLAGS & 1u << TOV1) != 0 && (now.halves[0] & 0x8000u) == 0) {
        now.halves[1]++;
    }
    SREG = status;
    __asm__ volatile("" : : : "memory");
    return now.stamp;
}

/* Either the overflow's interrupt has found it, or it is still to come. */
static inline bool hrlp_clock_wrap_pending(void)
{
    return hrlp_avr_timer16.wrapped != 0 ||
           (hrlp_avr_timer16.high == UINT16_MAX && (HRLP_AVR_TIMER16_FLAGS & 1u << TOV1) != 0);
}

#endif
