/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLINT_H
#define HRLP_CLINT_H

#include "clint.h"
#include "hrlp_cell_arming.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"

/*
 * The CLINT's comparison as a cell, channel 0. Channel 1 is the clock, for its acknowledge only:
 * they share the line, so the generated handler asks both. Periods are added by software, to the
 * instant before, so that they do not drift; an interrupt that was masked past the next instant is
 * followed by that one's.
 */
/*
 * How late. The interrupt is up from the count of the instant on that the cell was given; one that is past is up when
 * the comparison is set, of which the stores take less than two counts of 100 ns. The handler enters an instruction
 * later.
 */
#define HRLP_CLINT_LATE_COUNTS 4u

static inline void hrlp_clint_prepare(unsigned channel, unsigned priority)
{
    (void)channel;
    if (HRL_CORES > 1) { /* else the clock's start lets the line through */
        hrlp_clint_set_compare();
        hrlp_irq_enable_at(HRLP_CLINT_LINE, priority);
    }
}

static inline bool hrlp_clint_fired(unsigned channel)
{
    (void)channel;
    return hrlp_clint_now() >= hrlp_clint.due;
}

static inline void hrlp_clint_acknowledge(unsigned channel)
{
    if (channel == HRLP_CLINT_CLOCK) {
        hrlp_clint.wraps++;
    } else {
        hrlp_clint.due =
            hrlp_clint.period == 0 ? HRLP_CLINT_NEVER : hrlp_clint.due + hrlp_clint.period;
    }
    hrlp_clint_set_compare();
}

static inline void hrlp_clint_start_periodic(unsigned channel, hrl_stamp first, uint32_t period)
{
    uint64_t now = hrlp_clint_now();

    (void)channel;
    hrlp_clint.period = period;
    hrlp_clint.due = hrlp_cell_instant(now, first);
    hrlp_clint_set_compare();
}

static inline void hrlp_clint_put_off(unsigned channel, hrl_stamp due)
{
    (void)channel;
    (void)due;
    hrlp_clint.due++;
    hrlp_clint_set_compare();
}

HRLP_CELL_STRETCH_BY_PUTTING_OFF(hrlp_clint)

static inline void hrlp_clint_arm(unsigned channel, hrl_stamp due)
{
    hrlp_clint_start_periodic(channel, due, 0);
}

HRLP_CELL_REARM_IS_ARM(hrlp_clint)

static inline void hrlp_clint_disarm(unsigned channel)
{
    (void)channel;
    hrlp_clint.due = HRLP_CLINT_NEVER;
    hrlp_clint_set_compare();
}

HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_clint)

#endif
