/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FreeRTOS's tick on the RP2040 and RP2350: from alarm 0 of the clock's TIMER, which is moved forward by a tick, without drift, so that both
 * kernels have the same clock. FreeRTOS's port lets an application choose the timer by a vPortSetupTimerInterrupt of
 * its own; the tick's handler is the port's.
 */
#include "FreeRTOS.h"
#include "hrlp_irq.h"
#include "rp_clocks.c" /* the firmware has nothing else of our port's devices */
#include "rp_timer.h"
#include "task.h"

enum { CHANNEL = 0, COUNTS = configCPU_CLOCK_HZ / configTICK_RATE_HZ };

void SysTick_Handler(void); /* the port's: it ticks */
void HRLP_RP_TIMER_HANDLER(void);

void HRLP_RP_TIMER_HANDLER(void)
{
    HRLP_RP_TIMER->fired = 1u << CHANNEL;
    HRLP_RP_TIMER->alarm[CHANNEL] += COUNTS;
    SysTick_Handler();
}

void vPortSetupTimerInterrupt(void)
{
    hrlp_rp_clocks_start();
    HRLP_RP_TIMER->allow = 1u << CHANNEL;
    HRLP_RP_TIMER->alarm[CHANNEL] = HRLP_RP_TIMER->time_low + COUNTS;
    hrlp_irq_enable_at(HRLP_RP_TIMER_FIRST_LINE + CHANNEL, HRLP_IRQ_OF_DISPATCH);
}
