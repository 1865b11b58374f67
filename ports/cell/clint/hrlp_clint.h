/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLINT_H
#define HRLP_CLINT_H

#include "clint.h"
#include "hrlp_cell.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"

/*
 * The CLINT's comparison as a cell, channel 0. Channel 1 is the clock, for its acknowledge only:
 * they share the line, so the generated handler asks both. Periods are added by software, to the
 * instant before, so that they do not drift; an interrupt that was masked past the next instant is
 * followed by that one's.
 */
static inline void hrlp_clint_prepare(unsigned channel, unsigned priority)
{
    (void)channel; /* the clock's start lets the line through */
    (void)priority;
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
    int32_t ahead = (int32_t)(first - (hrl_stamp)now);

    (void)channel;
    hrlp_clint.period = period;
    hrlp_clint.due =
        now + (ahead > 0 ? (uint32_t)ahead : 0); /* soon after reset, `first` is before 0 */
    hrlp_clint_set_compare();
}

enum { hrlp_clint_stretches_ahead = false };

static inline __attribute__((always_inline)) void
hrlp_clint_stretch(unsigned channel, hrl_stamp due, uint32_t period, bool longer)
{
    (void)channel;
    (void)due;
    (void)period;
    if (longer) {
        hrlp_irq_state state = hrlp_irq_lock();

        hrlp_clint.due++;
        hrlp_clint_set_compare();
        hrlp_irq_unlock(state);
    }
}

static inline void hrlp_clint_arm(unsigned channel, hrl_stamp due)
{
    hrlp_clint_start_periodic(channel, due, 0);
}

enum { hrlp_clint_rearm_is_short = false };

static inline void hrlp_clint_rearm(unsigned channel, hrl_stamp due)
{
    hrlp_clint_arm(channel, due);
}

static inline void hrlp_clint_disarm(unsigned channel)
{
    (void)channel;
    hrlp_clint.due = HRLP_CLINT_NEVER;
    hrlp_clint_set_compare();
}

#endif
