/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "hrlp_nrf_rtc.h"

struct hrlp_nrf_rtc_clock hrlp_nrf_rtc_clock;
struct hrlp_nrf_rtc_cell hrlp_nrf_rtc_cell_0, hrlp_nrf_rtc_cell_1, hrlp_nrf_rtc_cell_3;

/*
 * Reset leaves the RTC stopped at 0, without a prescaler; a boot loader that has used it must leave it so, as a task that
 * stops or clears it takes up to 1.5 counts.
 */
void hrlp_clock_start(void)
{
    hrlp_nrf_rtc_start_source();
    HRLP_NRF_RTC_STORE(HRLP_NRF_RTC_CC(HRLP_NRF_RTC_HALF), HRLP_NRF_RTC_HALF_COUNTS);
    hrlp_nrf_rtc_clear_event(HRLP_NRF_RTC_HALF);
    hrlp_nrf_rtc_allow(HRLP_NRF_RTC_HALF);
    hrlp_irq_enable_at(HRLP_NRF_RTC_LINE, HRLP_IRQ_OF_CELLS);
    HRLP_NRF_RTC_STORE(HRLP_NRF_RTC_START, 1);
}

void hrlp_nrf_rtc_next_half(void)
{
    hrlp_irq_state state = hrlp_irq_lock();

    if (HRLP_NRF_RTC_LOAD(HRLP_NRF_RTC_COMPARED(HRLP_NRF_RTC_HALF)) != 0) {
        uint32_t half = hrlp_nrf_rtc_clock.half + HRLP_NRF_RTC_HALF_COUNTS;

        hrlp_nrf_rtc_clock.half = half;
        HRLP_NRF_RTC_STORE(HRLP_NRF_RTC_CC(HRLP_NRF_RTC_HALF), ~half & HRLP_NRF_RTC_HALF_COUNTS);
        hrlp_nrf_rtc_clear_event(HRLP_NRF_RTC_HALF);
        if (half == 0) { /* the controller keeps the interrupt in mind, though its cause is gone */
            hrlp_nrf_rtc_clock.wrapped = 1;
        }
    }
    hrlp_irq_unlock(state);
}
