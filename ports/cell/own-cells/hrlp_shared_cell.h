/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_SHARED_CELL_H
#define HRLP_SHARED_CELL_H

#include "hrlp_timer_cells.h"

/*
 * One timer cell for all cores, in the place of one each (hrlp_own_cells.h), for the unified timing models: they set it
 * under a lock. Its interrupt is core 0's. Where another core is due, core 0 rings: that core has the same handler for
 * the line RING, the last of the application's.
 */
enum { HRLP_SHARED_CELL_RING = 29 };

/* `channel` is a constant. */
static inline __attribute__((always_inline)) void hrlp_shared_cell_prepare(unsigned channel,
                                                                           unsigned priority)
{
    if (hrlp_core_number() == 0) {
        hrlp_timer_cells_prepare(channel, priority);
    } else {
        hrlp_irq_enable_like(HRLP_SHARED_CELL_RING, HRLP_TIMER_CELLS_LINE(channel), priority);
    }
}

static inline void hrlp_shared_cell_acknowledge(unsigned channel)
{
    hrlp_timer_cells_acknowledge(channel);
}

static inline void hrlp_shared_cell_arm(unsigned channel, hrl_stamp due)
{
    hrlp_timer_cells_arm(channel, due);
}

/* Has the handler called on `core`, another one. Context: any. */
static inline void hrlp_shared_cell_ring(unsigned core)
{
    hrlp_core_raise(core, HRLP_SHARED_CELL_RING);
}

HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_shared_cell)

#endif
