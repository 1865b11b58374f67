/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mps2-an385 and mps2-an386: the clock on the dual timer's second channel, sleeps and time-outs on
 * TIMER0, time slices that have a cell of their own on SysTick, basic tasks on lines 24 to 31.
 */
#include "clock.h"
#include "hrlp_clock.h"
#include "hrlp_cmsdk_dualtimer.h"
#include "hrlp_cmsdk_timer.h"
#include "hrlp_systick.h"
#include "hrlp_upcalls.h"

enum { PLAIN_SLOT_SHIFT = 15 /* 1.3 ms */, TIME_CELL = 0, SLICE_CELL = 0 };
#define PLAIN_SLICE_HANDLER SysTick_Handler
#define PLAIN_LINES(LINE)                                                                          \
    LINE(1, 24, PORT0_0_Handler)                                                                   \
    LINE(2, 25, PORT0_1_Handler)                                                                   \
    LINE(3, 26, PORT0_2_Handler)                                                                   \
    LINE(4, 27, PORT0_3_Handler)                                                                   \
    LINE(5, 28, PORT0_4_Handler)                                                                   \
    LINE(6, 29, PORT0_5_Handler)                                                                   \
    LINE(7, 30, PORT0_6_Handler)                                                                   \
    LINE(8, 31, PORT0_7_Handler)

#include "plain_cells.h"
#include "plain_system.h"

static inline void plain_cell_prepare(void)
{
    hrlp_cmsdk_timer_prepare(TIME_CELL, PLAIN_TIME_PRIORITY);
    hrlp_cmsdk_timer_run(TIME_CELL); /* unless it is started periodic */
}

PLAIN_TIME_CELL_ARM(hrlp_cmsdk_timer, TIME_CELL, move)
PLAIN_SLICE_CELL_DEFINE(hrlp_systick, SLICE_CELL)

HRLI_HANDLER(TIMER0_Handler, HRLI_ACKNOWLEDGE(hrlp_cmsdk_timer, TIME_CELL) plain_time_interrupt();)
HRLI_HANDLER(DUALTIMER_Handler, HRLI_SERVE_CLOCK(hrlp_cmsdk_dualtimer, 1, hrli_clock_wrapped))
