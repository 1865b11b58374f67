/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_OWN_CELLS_H
#define HRLP_OWN_CELLS_H

#include "hrlp_timer_cells.h"

/*
 * Timer cells for code that all cores share (systems/plain): channel `n` is on core c the timer cell n + c, and from
 * the cells on that all cores share upwards the core's own of that number (docs/guide/multi-core-board.md). The
 * handler is Cell_Handler<n> on every core.
 */
static inline unsigned hrlp_own_cells_channel(unsigned channel)
{
    return channel < HRLP_TIMER_CELLS_SHARED ? channel + hrlp_core_number() : channel;
}

/* `channel` is a constant. */
static inline __attribute__((always_inline)) void hrlp_own_cells_prepare(unsigned channel,
                                                                         unsigned priority)
{
    const unsigned own = hrlp_own_cells_channel(channel);

    hrlp_timer_cells_route(own);
    hrlp_irq_enable_like(HRLP_TIMER_CELLS_LINE(own), HRLP_TIMER_CELLS_LINE(channel), priority);
}

static inline void hrlp_own_cells_acknowledge(unsigned channel)
{
    hrlp_timer_cells_acknowledge(channel);
}

static inline bool hrlp_own_cells_fired(unsigned channel)
{
    return hrlp_timer_cells_fired(hrlp_own_cells_channel(channel));
}

static inline void hrlp_own_cells_disarm(unsigned channel)
{
    hrlp_timer_cells_disarm(hrlp_own_cells_channel(channel));
}

static inline void hrlp_own_cells_arm(unsigned channel, hrl_stamp due)
{
    hrlp_timer_cells_arm(hrlp_own_cells_channel(channel), due);
}

static inline void hrlp_own_cells_start_periodic(unsigned channel, hrl_stamp first, uint32_t period)
{
    hrlp_timer_cells_start_periodic(hrlp_own_cells_channel(channel), first, period);
}

static inline void hrlp_own_cells_slice_start(unsigned channel, uint32_t counts)
{
    hrlp_timer_cells_slice_start(hrlp_own_cells_channel(channel), counts);
}

static inline void hrlp_own_cells_slice_restart(unsigned channel)
{
    hrlp_timer_cells_slice_restart(hrlp_own_cells_channel(channel));
}

static inline bool hrlp_own_cells_slice_is_over(unsigned channel)
{
    return hrlp_timer_cells_slice_is_over(hrlp_own_cells_channel(channel));
}

static inline void hrlp_own_cells_slice_prolong(unsigned channel, uint32_t by, uint32_t counts)
{
    hrlp_timer_cells_slice_prolong(hrlp_own_cells_channel(channel), by, counts);
}

HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_own_cells)

#endif
