/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mps2-an385 and mps2-an386: the clock on the dual timer's second channel, sleeps and time-outs on TIMER0.
 */
#include "hrlp_clock.h"
#include "hrlp_cmsdk_timer.h"
#include "hrlp_upcalls.h"

enum { PLAIN_SLOT_SHIFT = 15 /* 1.3 ms */, TIME_CELL = 0 };

#include "plain_system.h"

static inline void plain_cell_prepare(void)
{
    hrlp_cmsdk_timer_prepare(TIME_CELL);
}

static void plain_cell_arm(hrl_stamp due)
{
    hrlp_cmsdk_timer_arm(TIME_CELL, due);
}

static void plain_cell_disarm(void)
{
    hrlp_cmsdk_timer_disarm(TIME_CELL);
}

void TIMER0_Handler(void);
void TIMER0_Handler(void)
{
    hrlp_cmsdk_timer_acknowledge(TIME_CELL);
    plain_time_interrupt();
}

void DUALTIMER_Handler(void);
void DUALTIMER_Handler(void)
{
    if (hrlp_clock_wrap_pending()) {
        HRLP_CMSDK_DUALTIMER(1)->clear = 1;
        hrli_clock_wrapped();
    }
}
