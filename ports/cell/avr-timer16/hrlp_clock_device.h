/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLOCK_DEVICE_H
#define HRLP_CLOCK_DEVICE_H

#include "avr_timer16.h"
#include "hrlp_narrow_clock.h"

/* Cells count with the clock: none interrupts before its instant. */
#define HRLP_CELL_EARLY_COUNTS 0u
/* 240 cycles: less than half of a cell's shortest interval (min_counts of the boards), and more than a start takes. */
#define HRLP_CELL_START_COUNTS (240u / HRL_BOARD_CLOCK_PRESCALER)
#define HRLP_CLOCK_READS_MASKED

/*
 * The timer below, what its overflow interrupt has counted above. An overflow that has not been counted yet shows
 * in its flag; the timer is near 0 then, unless it has overflowed since it was read. Context: interrupts masked.
 */
static inline __attribute__((always_inline)) hrl_stamp hrlp_clock_read_masked(void)
{
    union { /* as the compiler makes shifts of the halves */
        uint16_t halves[2];
        hrl_stamp stamp;
    } now;

    now.halves[0] = TCNT1;
    now.halves[1] = hrlp_avr_timer16.high;
    if (__builtin_expect((HRLP_AVR_TIMER16_FLAGS & 1u << TOV1) != 0, 0) &&
        (now.halves[0] & 0x8000u) == 0) {
        now.halves[1]++;
    }
    return now.stamp;
}

/* Context: interrupts masked. */
static inline __attribute__((always_inline)) uint16_t hrlp_clock_read_low(void)
{
    return TCNT1;
}

static inline uint16_t hrlp_clock_upper(void)
{
    return hrlp_avr_timer16.high;
}

static inline hrl_stamp hrlp_clock_read(void)
{
    uint8_t status = SREG;
    hrl_stamp now;

    __asm__ volatile("cli" : : : "memory");
    now = hrlp_clock_read_masked();
    SREG = status;
    __asm__ volatile("" : : : "memory");
    return now;
}

/* Either the overflow's interrupt has found it, or it is still to come. */
static inline bool hrlp_clock_wrap_pending(void)
{
    return hrlp_avr_timer16.wrapped != 0 ||
           (hrlp_avr_timer16.high == UINT16_MAX && (HRLP_AVR_TIMER16_FLAGS & 1u << TOV1) != 0);
}

#endif
