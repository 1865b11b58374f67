/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLOCK_DEVICE_H
#define HRLP_CLOCK_DEVICE_H

#include "timer_cells.h"

#define HRLP_CLOCK_IS_WIDE true

static inline hrl_stamp hrlp_clock_read(void)
{
    return HRLP_TIMER_CELLS_TIME[0];
}

static inline hrl_counts hrlp_clock_read_wide(void)
{
    uint32_t high, low;

    do {
        high = HRLP_TIMER_CELLS_TIME[1];
        low = HRLP_TIMER_CELLS_TIME[0];
    } while (high != HRLP_TIMER_CELLS_TIME[1]);
    return (hrl_counts)high << 32 | low;
}

static inline uint32_t hrlp_clock_read_high(void)
{
    return HRLP_TIMER_CELLS_TIME[1];
}

static inline bool hrlp_clock_wrap_pending(void)
{
    return false;
}

#endif
