/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "rp_timer.h"

/* TIMELW and TIMEHW: the time is set when the latter is written. */
void conform_clock_set(hrl_stamp stamp)
{
    uint32_t high = HRLP_RP_TIMER->time_high;

    *(volatile uint32_t *)0x40054004u = stamp;
    *(volatile uint32_t *)0x40054000u = high;
}
