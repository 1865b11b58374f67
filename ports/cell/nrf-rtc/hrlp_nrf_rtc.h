/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NRF_RTC_H
#define HRLP_NRF_RTC_H

#include "hrlp_cell_arming.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "hrlp_line.h"
#include "nrf_rtc.h"

/*
 * A comparison of the RTC as a cell: channels 0, 1 and, but for RTC0, 3. Channel 2 is the clock, for its acknowledge only.
 * All share the RTC's line, so that the generated handler asks which fired.
 *
 * The counter is the clock's and runs free. A comparison that stood near when another was written may fire still
 * (nrf_rtc.h): each cell keeps its instant, and an event before that is none of its own. Periods are added by software,
 * to the instant before, so that they do not drift.
 *
 * How late: the interrupt is requested when the clock counts to the instant. An instant that is past when the cell is
 * armed, or less than 2 counts ahead, is requested by a comparison 2 counts ahead, or 3 if the clock counts meanwhile:
 * up to 92 us late. The handler enters within a count more. A periodic cell that is served late by a period or more
 * serves the last of the instants that have passed.
 */
#define HRLP_NRF_RTC_LATE_COUNTS 4u

enum { HRLP_NRF_RTC_CLOCK = 2 };

struct hrlp_nrf_rtc_cell {
    volatile uint32_t due;    /* the stamp of the instant at which it is to interrupt */
    volatile uint32_t period; /* counts; 0: it interrupts once */
};

extern struct hrlp_nrf_rtc_cell hrlp_nrf_rtc_cell_0, hrlp_nrf_rtc_cell_1, hrlp_nrf_rtc_cell_3;

static inline __attribute__((always_inline)) struct hrlp_nrf_rtc_cell *
hrlp_nrf_rtc_cell(unsigned channel)
{
    return channel == 0u   ? &hrlp_nrf_rtc_cell_0
           : channel == 1u ? &hrlp_nrf_rtc_cell_1
                           : &hrlp_nrf_rtc_cell_3;
}

static inline void hrlp_nrf_rtc_prepare(unsigned channel, unsigned priority)
{
    (void)channel;
    hrlp_irq_enable_at(HRLP_NRF_RTC_LINE, priority);
}

static inline void hrlp_nrf_rtc_prepare_at(unsigned channel, unsigned level)
{
    (void)channel;
    hrlp_line_enable(HRLP_NRF_RTC_LINE, level);
}

/* Counts until the cell's instant; 0 and less: it has come. */
static inline __attribute__((always_inline)) int32_t hrlp_nrf_rtc_compare_ahead(unsigned channel)
{
    return hrlp_cell_left(hrlp_nrf_rtc_cell(channel)->due, 0);
}

static inline __attribute__((always_inline)) bool hrlp_nrf_rtc_is_up(unsigned channel)
{
    return HRLP_NRF_RTC_LOAD(HRLP_NRF_RTC_COMPARED(channel)) != 0;
}

/*
 * An event before the cell's instant, of a comparison that stood there before, is forgotten. Within a count of the
 * instant its own event could be taken for that: the rest of the count is waited for instead, 30.5 us at most.
 */
static inline bool hrlp_nrf_rtc_fired(unsigned channel)
{
    if (!hrlp_nrf_rtc_is_up(channel) ||
        (HRLP_NRF_RTC_LOAD(HRLP_NRF_RTC_INTENSET) & HRLP_NRF_RTC_BIT(channel)) == 0) {
        return false;
    }
    if (hrlp_nrf_rtc_compare_ahead(channel) > 1) {
        hrlp_nrf_rtc_clear_event(channel);
        if (hrlp_nrf_rtc_compare_ahead(channel) > 1) {
            return false;
        }
    }
    while (hrlp_nrf_rtc_compare_ahead(channel) > 0) {
    }
    return true;
}

static inline __attribute__((always_inline)) void hrlp_nrf_rtc_halt(unsigned channel)
{
    hrlp_nrf_rtc_forbid(channel);
}

static inline __attribute__((always_inline)) void hrlp_nrf_rtc_disarm(unsigned channel)
{
    hrlp_nrf_rtc_halt(channel);
}

/* Writes the comparison for the cell's instant. */
static inline __attribute__((always_inline)) void hrlp_nrf_rtc_set(unsigned channel)
{
    HRLP_NRF_RTC_STORE(HRLP_NRF_RTC_CC(channel),
                       hrlp_nrf_rtc_cell(channel)->due & HRLP_NRF_RTC_MASK);
}

static inline __attribute__((always_inline)) int32_t hrlp_nrf_rtc_match(unsigned channel,
                                                                        hrl_stamp due)
{
    hrlp_nrf_rtc_cell(channel)->period = 0;
    hrlp_nrf_rtc_cell(channel)->due = due;
    hrlp_nrf_rtc_clear_event(channel);
    hrlp_nrf_rtc_allow(channel);
    hrlp_nrf_rtc_set(channel);
    return hrlp_nrf_rtc_compare_ahead(channel);
}

/* Fires at the nearest count that is sure to; again if the counter has counted before that was written. */
static inline void hrlp_nrf_rtc_soon(unsigned channel)
{
    uint32_t now;

    do {
        now = hrlp_nrf_rtc_count();
        HRLP_NRF_RTC_STORE(HRLP_NRF_RTC_CC(channel),
                           (now + HRLP_NRF_RTC_NEAREST) & HRLP_NRF_RTC_MASK);
    } while (hrlp_nrf_rtc_count() != now && !hrlp_nrf_rtc_is_up(channel));
}

HRLP_CELL_ARM_MATCH(hrlp_nrf_rtc, HRLP_NRF_RTC_NEAREST)
HRLP_CELL_REARM_IS_ARM(hrlp_nrf_rtc)

/* The comparison for an instant that has changed, while the interrupt stays let through. */
static inline void hrlp_nrf_rtc_aim(unsigned channel)
{
    hrlp_nrf_rtc_set(channel);
    if (hrlp_nrf_rtc_compare_ahead(channel) < HRLP_NRF_RTC_NEAREST) {
        hrlp_nrf_rtc_soon(channel);
    }
}

/* Goes on to the cell's next instant; of several that have passed, to the last. */
static inline void hrlp_nrf_rtc_move_on(unsigned channel, uint32_t period)
{
    struct hrlp_nrf_rtc_cell *cell = hrlp_nrf_rtc_cell(channel);

    do {
        cell->due += period;
    } while (hrlp_cell_left(cell->due + period, 0) <= 0);
    hrlp_nrf_rtc_aim(channel);
}

static inline __attribute__((always_inline)) void hrlp_nrf_rtc_acknowledge(unsigned channel)
{
    uint32_t period;

    if (channel == HRLP_NRF_RTC_CLOCK) {
        hrlp_nrf_rtc_clock.wrapped = 0;
        return;
    }
    period = hrlp_nrf_rtc_cell(channel)->period;
    if (period != 0) {
        hrlp_nrf_rtc_clear_event(channel);
        hrlp_nrf_rtc_move_on(channel, period);
    } else {
        hrlp_nrf_rtc_halt(channel); /* else it would come again at the wrap */
        hrlp_nrf_rtc_clear_event(channel);
    }
}

/*
 * The instants that have passed interrupt no more, and the next does. The line, which is active, comes up by itself
 * again if another channel has fired.
 */
static inline void hrlp_nrf_rtc_forget(unsigned channel)
{
    struct hrlp_nrf_rtc_cell *cell = hrlp_nrf_rtc_cell(channel);
    uint32_t period = cell->period;

    hrlp_nrf_rtc_clear_event(channel);
    if (period != 0) {
        while (hrlp_nrf_rtc_compare_ahead(channel) <= 0) {
            cell->due += period;
        }
        hrlp_nrf_rtc_aim(channel);
    }
    hrlp_irq_clear(HRLP_NRF_RTC_LINE);
}

static inline void hrlp_nrf_rtc_start_periodic(unsigned channel, hrl_stamp first, uint32_t period)
{
    hrlp_irq_state state = hrlp_irq_lock();

    hrlp_nrf_rtc_arm(channel, first);
    hrlp_nrf_rtc_cell(channel)->period = period;
    hrlp_irq_unlock(state);
}

static inline void hrlp_nrf_rtc_put_off(unsigned channel, hrl_stamp due)
{
    hrlp_nrf_rtc_cell(channel)->due = due;
    hrlp_nrf_rtc_aim(channel);
}

HRLP_CELL_STRETCH_BY_PUTTING_OFF(hrlp_nrf_rtc)

HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_nrf_rtc)

#endif
