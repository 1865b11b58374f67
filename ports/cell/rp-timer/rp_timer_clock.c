/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_clock.h"
#include "hrlp_rp_timer.h"
#include "rp_clocks.h"

uint32_t hrlp_rp_timer_period[HRLP_RP_TIMER_ALARMS];

#define RESETS_SET (*(volatile uint32_t *)0x4000E000u)
#define RESETS_CLEAR (*(volatile uint32_t *)0x4000F000u)
#define RESETS_DONE (*(volatile uint32_t *)0x4000C008u)
#define RESET_TIMER (1u << 21)

/* A reset sets it to 0 and disarms its alarms, whatever a boot loader has left. Lines are let through one by one. */
void hrlp_clock_start(void)
{
    hrlp_rp_clocks_start();
    RESETS_SET = RESET_TIMER;
    RESETS_CLEAR = RESET_TIMER;
    while ((RESETS_DONE & RESET_TIMER) == 0) {
    }
    HRLP_RP_TIMER->allow = (1u << HRLP_RP_TIMER_ALARMS) - 1u;
}
