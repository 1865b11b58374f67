/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "rp_timer.h"

/* TIMELW and TIMEHW: the time is set when the latter is written. */
void conform_clock_set(hrl_stamp stamp)
{
    uint32_t high = HRLP_RP_TIMER->time_high;

    *(volatile uint32_t *)(HRLP_RP_TIMER_BASE + 4u) = stamp;
    *(volatile uint32_t *)HRLP_RP_TIMER_BASE = high;
}
