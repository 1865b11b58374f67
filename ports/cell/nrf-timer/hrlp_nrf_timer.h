/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NRF_TIMER_H
#define HRLP_NRF_TIMER_H

#include "hrlp_cell_arming.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "hrlp_line.h"
#include "nrf_timer.h"

/*
 * A compare channel of a TIMER as a cell: channels 0 and 1 are CC0 and CC1 of timer 0, 4 to 7 CC0 to CC3 of timer 1, 8 to
 * 11 those of timer 2 and so on up to 19. Channel 2 is the clock, for its acknowledge only. All channels of a timer share
 * its line, so that the generated handler asks which fired.
 *
 * Counters run free, and comparisons are moved forward: no shortcut clears a counter, which is also the clock's. A
 * comparison fires when the counter steps onto it; one that has passed waits for the wrap, so that arming looks again.
 * Periods are added by software, to the instant before, so that they do not drift.
 *
 * A periodic cell's handler may enter later than its instant by what is left of the counter's range beyond the period:
 * 2^16, 2^24 or 2^32 counts less the period. One that is late by a period or more serves the last of the instants that
 * have passed.
 */
enum { HRLP_NRF_TIMER_CLOCK = 2 };

#define HRLP_NRF_TIMER_OF(channel) HRLP_NRF_TIMER((channel) / 4u)
#define HRLP_NRF_TIMER_LINE(channel) HRLP_NRF_TIMER_LINE_OF((channel) / 4u)
#define HRLP_NRF_TIMER_BIT(channel) ((uint32_t)1 << (16u + (channel) % 4u))
#define HRLP_NRF_TIMER_MASK(channel)                                                               \
    ((channel) < 4u ? HRLP_NRF_TIMER_CLOCK_MASK : HRLP_NRF_TIMER_ONES(HRLP_NRF_TIMER_OTHER_BITS))

/*
 * How late. The cell requests its interrupt within a count of the instant that it was given: timers start one after the
 * other. One that is past when it is armed is requested two counts ahead of the reading that finds it, or three if the
 * clock counts meanwhile. At 1 MHz a count is longer than the processor takes to enter.
 */
#define HRLP_NRF_TIMER_LATE_COUNTS 4u

/* ROW(channel) for each channel that can be a cell. */
/* clang-format off */
#define HRLP_NRF_TIMER_CELLS(ROW)                                                                  \
    ROW(0) ROW(1) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8) ROW(9) ROW(10) ROW(11) ROW(12) ROW(13)        \
    ROW(14) ROW(15) ROW(16) ROW(17) ROW(18) ROW(19)

/* Of periodic cells, counts; 0: it interrupts once. Not an array, as an image has those of the channels that it uses. */
#define HRLP_NRF_TIMER_DECLARE(channel) extern uint32_t hrlp_nrf_timer_period_##channel;
HRLP_NRF_TIMER_CELLS(HRLP_NRF_TIMER_DECLARE)

static inline __attribute__((always_inline)) uint32_t *hrlp_nrf_timer_period(unsigned channel)
{
#define HRLP_NRF_TIMER_CHOOSE(its) channel == its##u ? &hrlp_nrf_timer_period_##its :
    return HRLP_NRF_TIMER_CELLS(HRLP_NRF_TIMER_CHOOSE) (uint32_t *)0;
}
/* clang-format on */

static inline __attribute__((always_inline)) volatile uint32_t *
hrlp_nrf_timer_compare_of(unsigned channel)
{
    return HRLP_NRF_TIMER_GROUP(channel / 4u, compare) + channel % 4u;
}

static inline void hrlp_nrf_timer_prepare(unsigned channel, unsigned priority)
{
    hrlp_irq_enable_at(HRLP_NRF_TIMER_LINE(channel), priority);
}

static inline void hrlp_nrf_timer_prepare_at(unsigned channel, unsigned level)
{
    hrlp_line_enable(HRLP_NRF_TIMER_LINE(channel), level);
}

/* Not the controller's memory of it: the line may be up for another channel, too. */
static inline __attribute__((always_inline)) void hrlp_nrf_timer_clear(unsigned channel)
{
    hrlp_nrf_timer_clear_event(channel / 4u, channel % 4u);
}

/* Whether the channel's comparison has been passed, be its interrupt allowed or not. */
static inline __attribute__((always_inline)) bool hrlp_nrf_timer_is_up(unsigned channel)
{
    return HRLP_NRF_TIMER_GROUP(channel / 4u, compared)[channel % 4u] != 0;
}

/* A cell that is not armed comes past its comparison at each wrap; a periodic one is always armed. */
static inline __attribute__((always_inline)) bool hrlp_nrf_timer_fired(unsigned channel)
{
    return hrlp_nrf_timer_is_up(channel) &&
           (*hrlp_nrf_timer_period(channel) != 0 ||
            (*HRLP_NRF_TIMER_GROUP(channel / 4u, allow) & HRLP_NRF_TIMER_BIT(channel)) != 0);
}

static inline __attribute__((always_inline)) void hrlp_nrf_timer_halt(unsigned channel)
{
    HRLP_NRF_TIMER_OF(channel)->forbid = HRLP_NRF_TIMER_BIT(channel);
}

static inline __attribute__((always_inline)) void hrlp_nrf_timer_disarm(unsigned channel)
{
    *hrlp_nrf_timer_period(channel) = 0; /* it is armed no more */
    hrlp_nrf_timer_halt(channel);
}

static inline __attribute__((always_inline)) int32_t hrlp_nrf_timer_match(unsigned channel,
                                                                          hrl_stamp due)
{
    *hrlp_nrf_timer_period(channel) = 0;
    *hrlp_nrf_timer_compare_of(channel) = due & HRLP_NRF_TIMER_MASK(channel);
    hrlp_nrf_timer_clear(channel);
    HRLP_NRF_TIMER_OF(channel)->allow = HRLP_NRF_TIMER_BIT(channel);
    return hrlp_cell_left(due, 0);
}

/*
 * Fires two counts from the reading on, as the counter must not step onto the comparison before that is stored; again
 * if it took longer than a count.
 */
static inline void hrlp_nrf_timer_soon(unsigned channel)
{
    uint32_t now;

    do {
        now = hrlp_nrf_timer_count();
        *hrlp_nrf_timer_compare_of(channel) = (now + 2u) & HRLP_NRF_TIMER_MASK(channel);
    } while (((hrlp_nrf_timer_count() - now) & HRLP_NRF_TIMER_CLOCK_MASK) > 1u &&
             !hrlp_nrf_timer_is_up(channel));
}

HRLP_CELL_ARM_MATCH(hrlp_nrf_timer, 1)
HRLP_CELL_REARM_IS_ARM(hrlp_nrf_timer)

/* Whether the comparison, which is at most `period` ahead, has been passed. */
static inline __attribute__((always_inline)) bool hrlp_nrf_timer_is_passed(unsigned channel,
                                                                           uint32_t period)
{
    uint32_t ahead = (*hrlp_nrf_timer_compare_of(channel) - hrlp_nrf_timer_count()) &
                     HRLP_NRF_TIMER_MASK(channel);

    return ahead - 1u >= period;
}

/* Whether it has been passed without firing: it was set too late. */
static inline __attribute__((always_inline)) bool hrlp_nrf_timer_is_missed(unsigned channel,
                                                                           uint32_t period)
{
    return hrlp_nrf_timer_is_passed(channel, period) && !hrlp_nrf_timer_is_up(channel);
}

/*
 * The timer compares the bits that it has. The comparison moves on before its event is cleared
 * (hrlp_nrf_timer_clear_event).
 */
static inline __attribute__((always_inline)) void hrlp_nrf_timer_acknowledge_next(unsigned channel,
                                                                                  uint32_t period)
{
    /* A constant that the compiler knows may go to an upper register of a Cortex-M0, by instructions of their own. */
    *hrlp_nrf_timer_compare_of(channel) += (uint32_t)hrlp_cell_base(period);
    hrlp_nrf_timer_clear(channel);
}

enum { hrlp_nrf_timer_catches_up = true };

static inline __attribute__((always_inline)) void hrlp_nrf_timer_catch_up(unsigned channel)
{
    uint32_t period = *hrlp_nrf_timer_period(channel);

    while (__builtin_expect(hrlp_nrf_timer_is_missed(channel, period), 0)) {
        *hrlp_nrf_timer_compare_of(channel) += period;
    }
}

static inline __attribute__((always_inline)) void hrlp_nrf_timer_acknowledge_once(unsigned channel)
{
    hrlp_nrf_timer_halt(channel); /* else it would come again at the wrap */
    hrlp_nrf_timer_clear(channel);
}

static inline __attribute__((always_inline)) void hrlp_nrf_timer_acknowledge(unsigned channel)
{
    uint32_t period;

    if (channel == HRLP_NRF_TIMER_CLOCK) {
        hrlp_nrf_timer_clock.wrapped = 0;
        hrlp_nrf_timer_clear(channel);
        return;
    }
    period = *hrlp_nrf_timer_period(channel);
    if (__builtin_expect(period != 0, 1)) {
        hrlp_nrf_timer_acknowledge_next(channel, period);
        hrlp_nrf_timer_catch_up(channel);
    } else {
        hrlp_nrf_timer_acknowledge_once(channel);
    }
}

/*
 * The instants that have passed interrupt no more, and the next does. The line, which is active, comes up by itself
 * again if another channel has fired.
 */
static inline void hrlp_nrf_timer_forget(unsigned channel)
{
    uint32_t period = *hrlp_nrf_timer_period(channel);

    while (period != 0 && hrlp_nrf_timer_is_passed(channel, period)) {
        *hrlp_nrf_timer_compare_of(channel) += period;
    }
    hrlp_nrf_timer_clear(channel);
    hrlp_irq_clear(HRLP_NRF_TIMER_LINE(channel));
}

static inline void hrlp_nrf_timer_start_periodic(unsigned channel, hrl_stamp first, uint32_t period)
{
    hrlp_irq_state state = hrlp_irq_lock();

    (void)hrlp_nrf_timer_match(channel, first);
    *hrlp_nrf_timer_period(channel) = period;
    hrlp_irq_unlock(state);
}

static inline void hrlp_nrf_timer_put_off(unsigned channel, hrl_stamp due)
{
    (void)due;
    if (!hrlp_nrf_timer_is_up(channel)) { /* else it is over, and would end a second time */
        volatile uint32_t *compare = hrlp_nrf_timer_compare_of(channel);

        *compare = (*compare + 1u) & HRLP_NRF_TIMER_MASK(channel);
    }
}

HRLP_CELL_STRETCH_BY_PUTTING_OFF(hrlp_nrf_timer)

#endif
