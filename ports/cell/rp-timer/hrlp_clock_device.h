/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLOCK_DEVICE_H
#define HRLP_CLOCK_DEVICE_H

#include "rp_timer.h"

#define HRLP_CLOCK_IS_WIDE true
#define HRLP_CELLS_NEED_THE_CLOCK /* alarms are of the clock's timer */

/* Alarms are compared with the clock itself: none interrupts before its instant. */
#define HRLP_CELL_EARLY_COUNTS 0u
/* 750 cycles, of which a count has many: less than half of a cell's shortest interval (min_counts of the boards). */
#define HRLP_CELL_START_COUNTS                                                                     \
    (HRLP_RP_COUNT_CYCLES >= 125u ? 6u : 749u / HRLP_RP_COUNT_CYCLES + 1u)

static inline hrl_stamp hrlp_clock_read(void)
{
    return HRLP_RP_TIMER->time_low;
}

static inline uint32_t hrlp_clock_read_high(void)
{
    return HRLP_RP_TIMER->time_high;
}

static inline hrl_counts hrlp_clock_read_wide(void)
{
    uint32_t high, low;

    do {
        high = HRLP_RP_TIMER->time_high;
        low = HRLP_RP_TIMER->time_low;
    } while (high != HRLP_RP_TIMER->time_high);
    return (hrl_counts)high << 32 | low;
}

static inline bool hrlp_clock_wrap_pending(void)
{
    return false;
}

#endif
