/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FreeRTOS's tick where there is no SysTick, as on the nRF51, and where SysTick counts faster than the board's clock, as on
 * the nRF52: from timer 0. Its counter runs free, and a comparison is moved forward by a tick, without drift. FreeRTOS's
 * port lets an application choose the timer by a vPortSetupTimerInterrupt of its own; the tick's handler is the port's.
 */
#include "FreeRTOS.h"
#include "hrlp_irq.h"
#include "nrf_timer.h"
#include "task.h"

enum { CHANNEL = 0, COUNTS = configCPU_CLOCK_HZ / configTICK_RATE_HZ };

#define HFCLKSTART (*(volatile uint32_t *)0x40000000u)
#define HFCLKSTARTED (*(volatile uint32_t *)0x40000100u)

void SysTick_Handler(void); /* the port's: it ticks */
void HRLP_NRF_TIMER_CLOCK_HANDLER(void);

void HRLP_NRF_TIMER_CLOCK_HANDLER(void)
{
    HRLP_NRF_TIMER_GROUP(0, compare)
    [CHANNEL] += COUNTS; /* of which the timer compares the bits that it has */
    hrlp_nrf_timer_clear_event(0, CHANNEL);
    SysTick_Handler();
}

void vPortSetupTimerInterrupt(void)
{
    struct hrlp_nrf_timer_registers *timer = HRLP_NRF_TIMER(0);

    HFCLKSTART = 1;
    while (HFCLKSTARTED == 0) {
    }
    timer->mode = 0;
    timer->width = HRLP_NRF_TIMER_BITMODE(HRLP_NRF_TIMER_CLOCK_BITS);
    timer->prescaler = HRLP_NRF_TIMER_PRESCALER;
    timer->compare[CHANNEL] = COUNTS;
    timer->clear = 1;
    timer->allow = (uint32_t)1 << (16 + CHANNEL);
    hrlp_irq_enable_at(HRLP_NRF_TIMER_LINE_OF(0), HRLP_IRQ_OF_DISPATCH);
    timer->start = 1;
}
