/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_clock.h"
#include "hrlp_rp_timer.h"
#include "rp_clocks.h"

uint32_t hrlp_rp_timer_period[HRLP_RP_TIMER_ALARMS];

/* Lines are let through one by one. */
void hrlp_clock_start(void)
{
    hrlp_rp_clocks_start();
    HRLP_RP_TIMER->allow = (1u << HRLP_RP_TIMER_ALARMS) - 1u;
}
