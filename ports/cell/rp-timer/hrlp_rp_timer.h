/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_RP_TIMER_H
#define HRLP_RP_TIMER_H

#include "hrlp_cell_arming.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "hrlp_line.h"
#include "rp_timer.h"

/*
 * An alarm of a TIMER of the RP2040 or RP2350 as a cell: channels 0 to 3, each with a line of its own and nothing else on
 * it.
 *
 * An alarm fires once. Periods are added by software, to the instant before, so that they do not drift. An alarm that
 * may have been passed while it was armed would wait for 71 minutes. So the clock is read after arming: if the instant
 * has passed, the alarm is disarmed, and its line raised by software unless it has fired.
 *
 * How late. The cell requests its interrupt within HRLP_RP_TIMER_LATE_COUNTS of the instant that it was given: at the
 * count itself, or, armed for the present or a past count, as soon as the few instructions here have found that, which
 * are less than a count where that has 48 cycles. A periodic cell that is served late by a period or more interrupts
 * once for each instant that has passed.
 */
#define HRLP_RP_TIMER_LATE_COUNTS 1u

#define HRLP_RP_TIMER_LINE(channel) (HRLP_RP_TIMER_FIRST_LINE + (int)(channel))
#define HRLP_RP_TIMER_BIT(channel) ((uint32_t)1 << (channel))

/* Of periodic cells, counts; 0: the alarm fires once. */
extern uint32_t hrlp_rp_timer_period[HRLP_RP_TIMER_ALARMS];

static inline void hrlp_rp_timer_prepare(unsigned channel, unsigned priority)
{
    hrlp_irq_enable_at(HRLP_RP_TIMER_LINE(channel), priority);
}

static inline void hrlp_rp_timer_prepare_at(unsigned channel, unsigned level)
{
    hrlp_line_enable(HRLP_RP_TIMER_LINE(channel), level);
}

static inline bool hrlp_rp_timer_fired(unsigned channel)
{
    return (HRLP_RP_TIMER->fired & HRLP_RP_TIMER_BIT(channel)) != 0;
}

/*
 * The line is down when this returns. Where stores are buffered INTR is read back: else the line could be up still when
 * the handler ends, and the handler would be entered once more. Context: any.
 */
static inline __attribute__((always_inline)) void hrlp_rp_timer_clear(unsigned channel)
{
    HRLP_RP_TIMER->fired = HRLP_RP_TIMER_BIT(channel);
    if (HRLP_RP_TIMER_READS_BACK) {
        (void)HRLP_RP_TIMER->fired;
    }
}

static inline void hrlp_rp_timer_disarm(unsigned channel)
{
    HRLP_RP_TIMER->armed = HRLP_RP_TIMER_BIT(channel);
}

/* Neither the timer's memory of what it has raised, nor the controller's. */
static inline void hrlp_rp_timer_halt(unsigned channel)
{
    hrlp_rp_timer_disarm(channel);
    hrlp_rp_timer_clear(channel);
    hrlp_irq_clear(HRLP_RP_TIMER_LINE(channel));
}

/* The clock is read behind the store: an instant that is still to come then is not missed. */
static inline __attribute__((always_inline)) int32_t hrlp_rp_timer_match(unsigned channel,
                                                                         hrl_stamp due)
{
    hrlp_rp_timer_period[channel] = 0;
    HRLP_RP_TIMER->alarm[channel] = due;
    return hrlp_cell_left(due, 0);
}

/* Disarmed first, so that it does not fire for the same instant afterwards. */
static inline void hrlp_rp_timer_soon(unsigned channel)
{
    hrlp_rp_timer_disarm(channel);
    if (!hrlp_rp_timer_fired(channel)) {
        hrlp_irq_raise(HRLP_RP_TIMER_LINE(channel));
    }
}

HRLP_CELL_ARM_MATCH(hrlp_rp_timer, 1)
HRLP_CELL_REARM_IS_ARM(hrlp_rp_timer)

/* Whether the alarm, `period` after the last, may have been passed when it was set. */
static inline __attribute__((always_inline)) bool hrlp_rp_timer_is_missed(uint32_t due,
                                                                          uint32_t period)
{
    return due - hrlp_clock_read() - 1u >= period;
}

static inline __attribute__((always_inline)) void hrlp_rp_timer_acknowledge(unsigned channel)
{
    uint32_t period = hrlp_rp_timer_period[channel];

    hrlp_rp_timer_clear(channel);
    if (period != 0) {
        uint32_t due = HRLP_RP_TIMER->alarm[channel] + period;

        HRLP_RP_TIMER->alarm[channel] = due;
        if (hrlp_rp_timer_is_missed(due, period)) {
            hrlp_rp_timer_soon(channel);
        }
    }
}

/*
 * The instants that have passed interrupt no more, and the next does: one that comes while this looks is moved on, and
 * cleared once more.
 */
static inline void hrlp_rp_timer_forget(unsigned channel)
{
    const uint32_t period = hrlp_rp_timer_period[channel];
    uint32_t due = HRLP_RP_TIMER->alarm[channel];

    hrlp_rp_timer_clear(channel);
    while (period != 0 && hrlp_rp_timer_is_missed(due, period)) {
        due += period;
        HRLP_RP_TIMER->alarm[channel] = due;
        hrlp_rp_timer_clear(channel);
    }
    hrlp_irq_clear(HRLP_RP_TIMER_LINE(channel));
}

static inline void hrlp_rp_timer_start_periodic(unsigned channel, hrl_stamp first, uint32_t period)
{
    hrlp_irq_state state = hrlp_irq_lock();

    (void)hrlp_rp_timer_match(channel, first);
    hrlp_rp_timer_period[channel] = period;
    hrlp_irq_unlock(state);
}

static inline void hrlp_rp_timer_put_off(unsigned channel, hrl_stamp due)
{
    (void)due;
    if (!hrlp_rp_timer_fired(channel)) { /* else it is over, and would end a second time */
        HRLP_RP_TIMER->alarm[channel]++;
    }
}

HRLP_CELL_STRETCH_BY_PUTTING_OFF(hrlp_rp_timer)

HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_rp_timer)

#endif
