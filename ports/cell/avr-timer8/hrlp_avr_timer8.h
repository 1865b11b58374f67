/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_AVR_TIMER8_H
#define HRLP_AVR_TIMER8_H

#include "hrlp_cell_arming.h"
#include "hrlp_irq.h"
#include <avr/io.h>

/*
 * The 8-bit timer of AVR that shares the prescaler of timer 1, but may take another tap of it: timer 2 of the
 * ATmega128, timer 0 of the ATmega328P. A periodic cell beside the clock, which it is in step with: the clock's start
 * (avr-timer16) starts it, and it counts for ever through 8 bits. Periods, and what lies between that start and the
 * first interrupt, are whole numbers of its counts, of at most 255. Periods are added by software, so that no
 * timer has to be set.
 */
/*
 * How late. The flag rises with the timer's count of the instant that the cell was given. The handler enters 11 cycles
 * later if the processor sleeps, and within 16 if an instruction has to end before.
 */
#define HRLP_AVR_TIMER8_LATE_CYCLES 16u

#ifdef TIFR1 /* chips that have a register for each timer */
#define HRLP_AVR_TIMER8_COMPARE OCR0A
#define HRLP_AVR_TIMER8_MASK TIMSK0
#define HRLP_AVR_TIMER8_FLAG TIFR0
#define HRLP_AVR_TIMER8_BIT (1u << OCIE0A)
#else
#define HRLP_AVR_TIMER8_COMPARE OCR2
#define HRLP_AVR_TIMER8_MASK TIMSK
#define HRLP_AVR_TIMER8_FLAG TIFR
#define HRLP_AVR_TIMER8_BIT (1u << OCIE2)
#endif
/* The plan says it, but of no cell that it does not use. */
#ifdef HRL_BOARD_AVR_TIMER8_0_PRESCALER
#define HRLP_AVR_TIMER8_PRESCALER HRL_BOARD_AVR_TIMER8_0_PRESCALER
#elif defined(HRL_BOARD_AVR_TIMER8_2_PRESCALER)
#define HRLP_AVR_TIMER8_PRESCALER HRL_BOARD_AVR_TIMER8_2_PRESCALER
#else
#define HRLP_AVR_TIMER8_PRESCALER HRL_BOARD_CLOCK_PRESCALER
#endif

/* The period in the timer's counts. */
extern uint8_t hrlp_avr_timer8_period;

/* Of the clock's counts, those of the timer: one divides the other, by a power of two. */
static inline __attribute__((always_inline)) uint8_t hrlp_avr_timer8_counts(uint32_t counts)
{
    enum {
        COARSER = HRLP_AVR_TIMER8_PRESCALER / HRL_BOARD_CLOCK_PRESCALER,
        FINER = HRL_BOARD_CLOCK_PRESCALER / HRLP_AVR_TIMER8_PRESCALER
    };

    return (uint8_t)(COARSER > 0 ? counts / (COARSER > 0 ? COARSER : 1) : counts * FINER);
}

static inline void hrlp_avr_timer8_prepare(unsigned channel, unsigned priority)
{
    (void)channel; /* starting lets it through */
    (void)priority;
}

static inline __attribute__((always_inline)) void hrlp_avr_timer8_acknowledge(unsigned channel)
{
    (void)channel;
    HRLP_AVR_TIMER8_COMPARE += hrlp_avr_timer8_period;
}

static inline __attribute__((always_inline)) void hrlp_avr_timer8_disarm(unsigned channel)
{
    (void)channel;
    HRLP_AVR_TIMER8_MASK &= (uint8_t)~HRLP_AVR_TIMER8_BIT;
}

/* The table of a cell has places for these; nothing arms a cell that is periodic only. */
static inline void hrlp_avr_timer8_arm(unsigned channel, hrl_stamp due)
{
    (void)channel;
    (void)due;
}

static inline void hrlp_avr_timer8_arm_near(unsigned channel, uint16_t now, uint16_t left)
{
    (void)channel;
    (void)now;
    (void)left;
}

HRLP_CELL_REARM_IS_ARM(hrlp_avr_timer8)

static inline void hrlp_avr_timer8_start_periodic(unsigned channel, hrl_stamp first,
                                                  uint32_t period)
{
    hrlp_irq_state state = hrlp_irq_lock();

    (void)channel;
    hrlp_avr_timer8_period = hrlp_avr_timer8_counts(period);
    HRLP_AVR_TIMER8_COMPARE = (uint8_t)(hrlp_avr_timer8_counts(first) - 1u);
    HRLP_AVR_TIMER8_FLAG = HRLP_AVR_TIMER8_BIT;
    HRLP_AVR_TIMER8_MASK |= (uint8_t)HRLP_AVR_TIMER8_BIT;
    hrlp_irq_unlock(state);
}

HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_avr_timer8)

#endif
