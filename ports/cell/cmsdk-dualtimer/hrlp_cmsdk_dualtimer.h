/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CMSDK_DUALTIMER_CELL_H
#define HRLP_CMSDK_DUALTIMER_CELL_H

#include "cmsdk_dualtimer.h"
#include "hrlp_cell_arming.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "hrlp_line.h"

/*
 * The dual timer's first channel as a cell (the second is the clock; they share the line, so the
 * generated handler asks both).
 */

/*
 * From reading the clock to the counter's first count, in counts, in each of the two functions
 * below: measured, held to the clock by tests/system/test_interrupts.py. No cell may be early by
 * more than HRLP_CELL_EARLY_COUNTS.
 */
#define HRLP_CMSDK_DUALTIMER_START_LATENCY 4u
#define HRLP_CMSDK_DUALTIMER_ARM_LATENCY 7u
#define HRLP_CMSDK_DUALTIMER_SHORTEST 1

/*
 * How late. The handler enters within a count of the instant that the cell was given, and an instruction, if nothing
 * masks it and the instant is not near; within LATE_COUNTS if it is near, or past: a count behind ARM_LATENCY, and two
 * for the rounding of both.
 */
#define HRLP_CMSDK_DUALTIMER_LATE_COUNTS 10u

static inline void hrlp_cmsdk_dualtimer_prepare(unsigned channel, unsigned priority)
{
    (void)channel;
    hrlp_irq_enable_at(HRLP_CMSDK_DUALTIMER_LINE(channel), priority);
}

static inline void hrlp_cmsdk_dualtimer_prepare_at(unsigned channel, unsigned level)
{
    (void)channel;
    hrlp_line_enable(HRLP_CMSDK_DUALTIMER_LINE(channel), level);
}

/* Not the controller's memory of it: the line may be up for the clock, too. */
static inline void hrlp_cmsdk_dualtimer_forget(unsigned channel)
{
    HRLP_CMSDK_DUALTIMER(channel)->clear = 1;
}

static inline bool hrlp_cmsdk_dualtimer_fired(unsigned channel)
{
    return HRLP_CMSDK_DUALTIMER(channel)->masked_status != 0;
}

static inline void hrlp_cmsdk_dualtimer_acknowledge(unsigned channel)
{
    HRLP_CMSDK_DUALTIMER(channel)->clear = 1;
}

static inline void hrlp_cmsdk_dualtimer_start_periodic(unsigned channel, hrl_stamp first,
                                                       uint32_t period)
{
    struct hrlp_cmsdk_dualtimer_channel *timer = HRLP_CMSDK_DUALTIMER(channel);

    timer->control = HRLP_CMSDK_DUALTIMER_32_BITS | HRLP_CMSDK_DUALTIMER_PERIODIC;
    hrlp_cmsdk_dualtimer_forget(channel); /* what came in the moment of its disarming */
    timer->load = first - hrlp_clock_read() - HRLP_CMSDK_DUALTIMER_START_LATENCY;
    timer->control = HRLP_CMSDK_DUALTIMER_32_BITS | HRLP_CMSDK_DUALTIMER_PERIODIC |
                     HRLP_CMSDK_DUALTIMER_INTERRUPT | HRLP_CMSDK_DUALTIMER_ENABLE;
    timer->background_load = period - 1u;
}

static inline void hrlp_cmsdk_dualtimer_set_period(unsigned channel, uint32_t counts)
{
    HRLP_CMSDK_DUALTIMER(channel)->background_load = counts - 1u;
}

HRLP_CELL_STRETCH_BY_PERIOD(hrlp_cmsdk_dualtimer, true)

static inline void hrlp_cmsdk_dualtimer_disarm(unsigned channel)
{
    HRLP_CMSDK_DUALTIMER(channel)->control = HRLP_CMSDK_DUALTIMER_32_BITS;
}

static inline void hrlp_cmsdk_dualtimer_halt(unsigned channel)
{
    HRLP_CMSDK_DUALTIMER(channel)->control =
        HRLP_CMSDK_DUALTIMER_32_BITS | HRLP_CMSDK_DUALTIMER_ONE_SHOT;
    hrlp_cmsdk_dualtimer_forget(channel);
}

static inline void hrlp_cmsdk_dualtimer_set(unsigned channel, uint32_t left)
{
    HRLP_CMSDK_DUALTIMER(channel)->load = left;
    HRLP_CMSDK_DUALTIMER(channel)->control =
        HRLP_CMSDK_DUALTIMER_32_BITS | HRLP_CMSDK_DUALTIMER_ONE_SHOT |
        HRLP_CMSDK_DUALTIMER_INTERRUPT | HRLP_CMSDK_DUALTIMER_ENABLE;
}

HRLP_CELL_ARM_COUNTER(hrlp_cmsdk_dualtimer, HRLP_CMSDK_DUALTIMER_ARM_LATENCY,
                      HRLP_CMSDK_DUALTIMER_SHORTEST)
HRLP_CELL_REARM_IS_ARM(hrlp_cmsdk_dualtimer)

HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_cmsdk_dualtimer)

#endif
