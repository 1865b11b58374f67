/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FreeRTOS's tick where the RTC is the board's clock, as SysTick does not count with it. The counter runs free, and a
 * comparison is moved forward by a tick. A tick of 1 ms is no whole number of counts: some are a count longer than
 * others, so that they do not drift.
 */
#include "FreeRTOS.h"
#include "hrlp_irq.h"
#include "nrf_rtc.h"
#include "task.h"

enum {
    CHANNEL = 0,
    COUNTS = configCPU_CLOCK_HZ / configTICK_RATE_HZ,
    REST = configCPU_CLOCK_HZ % configTICK_RATE_HZ
};

static uint32_t rest;

void SysTick_Handler(void); /* the port's: it ticks */
void HRLP_NRF_RTC_HANDLER(void);

static uint32_t next(void)
{
    rest += REST;
    if (rest < configTICK_RATE_HZ) {
        return COUNTS;
    }
    rest -= configTICK_RATE_HZ;
    return COUNTS + 1;
}

void HRLP_NRF_RTC_HANDLER(void)
{
    HRLP_NRF_RTC_STORE(HRLP_NRF_RTC_CC(CHANNEL),
                       (HRLP_NRF_RTC_LOAD(HRLP_NRF_RTC_CC(CHANNEL)) + next()) & HRLP_NRF_RTC_MASK);
    hrlp_nrf_rtc_clear_event(CHANNEL);
    SysTick_Handler();
}

void vPortSetupTimerInterrupt(void)
{
    hrlp_nrf_rtc_start_source();
    HRLP_NRF_RTC_STORE(HRLP_NRF_RTC_CC(CHANNEL), next());
    hrlp_nrf_rtc_allow(CHANNEL);
    hrlp_irq_enable_at(HRLP_NRF_RTC_LINE, HRLP_IRQ_OF_DISPATCH);
    HRLP_NRF_RTC_STORE(HRLP_NRF_RTC_START, 1);
}
