/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "hrlp_nrf_timer.h"

struct hrlp_nrf_timer_clock hrlp_nrf_timer_clock;
uint32_t hrlp_nrf_timer_period_0, hrlp_nrf_timer_period_1, hrlp_nrf_timer_period_4,
    hrlp_nrf_timer_period_5, hrlp_nrf_timer_period_6, hrlp_nrf_timer_period_7;

/* The crystal's oscillator, by which counts are as exact as it is: CLOCK, a task and its event. */
#define HFCLKSTART (*(volatile uint32_t *)0x40000000u)
#define HFCLKSTARTED (*(volatile uint32_t *)0x40000100u)

static void prepare(unsigned timer, uint32_t width)
{
    struct hrlp_nrf_timer_registers *it = HRLP_NRF_TIMER(timer);

    it->stop = 1;
    it->forbid = 0xFu << 16;
    it->mode = 0;
    it->shorts = 0;
    it->width = width;
    it->prescaler = HRLP_NRF_TIMER_1_MHZ;
    it->clear = 1;
}

/* TIMER1 starts last: it is never ahead of the clock, and less than a count behind it. */
void hrlp_clock_start(void)
{
    struct hrlp_nrf_timer_registers *clock = HRLP_NRF_TIMER(0), *other = HRLP_NRF_TIMER(1);

    HFCLKSTART = 1;
    while (HFCLKSTARTED == 0) {
    }
    prepare(0, HRLP_NRF_TIMER_24_BITS);
    prepare(1, HRLP_NRF_TIMER_16_BITS);
    clock->compare[HRLP_NRF_TIMER_HALF] = HRLP_NRF_TIMER_HALF_COUNTS;
    clock->compared[HRLP_NRF_TIMER_HALF] = 0;
    clock->allow = (uint32_t)1 << (16 + HRLP_NRF_TIMER_HALF);
    hrlp_irq_enable_at(HRLP_NRF_TIMER_LINE_OF(0), HRLP_IRQ_OF_CELLS);
    clock->start = 1;
    other->start = 1;
}

void hrlp_nrf_timer_next_half(void)
{
    hrlp_irq_state state = hrlp_irq_lock();
    struct hrlp_nrf_timer_registers *clock = HRLP_NRF_TIMER(0);

    if (clock->compared[HRLP_NRF_TIMER_HALF] != 0) {
        uint32_t half = hrlp_nrf_timer_clock.half + HRLP_NRF_TIMER_HALF_COUNTS;

        hrlp_nrf_timer_clock.half = half;
        clock->compare[HRLP_NRF_TIMER_HALF] = ~half & HRLP_NRF_TIMER_HALF_COUNTS;
        clock->compared[HRLP_NRF_TIMER_HALF] = 0;
        if (half == 0) { /* the controller keeps the interrupt in mind, though its cause is gone */
            hrlp_nrf_timer_clock.wrapped = 1;
        }
    }
    hrlp_irq_unlock(state);
}
