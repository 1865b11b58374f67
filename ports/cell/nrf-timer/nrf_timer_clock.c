/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "hrlp_nrf_timer.h"

struct hrlp_nrf_timer_clock hrlp_nrf_timer_clock;

/* clang-format off */
#define DEFINE(channel) uint32_t hrlp_nrf_timer_period_##channel;
HRLP_NRF_TIMER_CELLS(DEFINE)
/* clang-format on */

/* The crystal's oscillator, by which counts are as exact as it is: CLOCK, a task and its event. */
#define HFCLKSTART (*(volatile uint32_t *)0x40000000u)
#define HFCLKSTARTED (*(volatile uint32_t *)0x40000100u)

static __attribute__((noinline)) void prepare(struct hrlp_nrf_timer_registers *it, uint32_t width)
{
    it->stop = 1;
    it->forbid = 0xFu << 16;
    it->mode = 0;
    it->shorts = 0;
    it->width = width;
    it->prescaler = HRLP_NRF_TIMER_PRESCALER;
    it->clear = 1;
}

_Static_assert(HRLP_NRF_TIMER_TIMERS >= 1u && HRLP_NRF_TIMER_TIMERS <= 5u, "1 to 5 timers");
_Static_assert(HRLP_NRF_TIMER_PRESCALER >= 4u && HRLP_NRF_TIMER_PRESCALER <= 9u,
               "timers start less than a count apart at 1 MHz and less");

/* The others start last, a store each: they are never ahead of the clock, and less than a count behind it. */
void hrlp_clock_start(void)
{
    struct hrlp_nrf_timer_registers *clock = HRLP_NRF_TIMER(0);

    HFCLKSTART = 1;
    while (HFCLKSTARTED == 0) {
    }
    prepare(clock, HRLP_NRF_TIMER_BITMODE(HRLP_NRF_TIMER_CLOCK_BITS));
    for (unsigned timer = 1; timer < HRLP_NRF_TIMER_TIMERS; timer++) {
        prepare(HRLP_NRF_TIMER(timer), HRLP_NRF_TIMER_BITMODE(HRLP_NRF_TIMER_OTHER_BITS));
    }
    clock->compare[HRLP_NRF_TIMER_HALF] = HRLP_NRF_TIMER_HALF_COUNTS;
    clock->compared[HRLP_NRF_TIMER_HALF] = 0;
    clock->allow = (uint32_t)1 << (16 + HRLP_NRF_TIMER_HALF);
    hrlp_irq_enable_at(HRLP_NRF_TIMER_LINE_OF(0), HRLP_IRQ_OF_CELLS);
    clock->start = 1;
#define START(timer)                                                                               \
    if (HRLP_NRF_TIMER_TIMERS > (timer)) {                                                         \
        HRLP_NRF_TIMER(timer)->start = 1;                                                          \
    }
    START(1u)
    START(2u)
    START(3u)
    START(4u)
}

void hrlp_nrf_timer_next_half(void)
{
    hrlp_irq_state state = hrlp_irq_lock();
    struct hrlp_nrf_timer_registers *clock = HRLP_NRF_TIMER(0);

    if (clock->compared[HRLP_NRF_TIMER_HALF] != 0 && hrlp_nrf_timer_clock.wrapped == 0) {
        uint32_t half = hrlp_nrf_timer_clock.half + HRLP_NRF_TIMER_HALF_COUNTS;

        hrlp_nrf_timer_clock.half = half;
        clock->compare[HRLP_NRF_TIMER_HALF] = ~half & HRLP_NRF_TIMER_HALF_COUNTS;
        if (half == 0) { /* the clock's acknowledge clears the event then */
            hrlp_nrf_timer_clock.wrapped = 1;
        } else {
            hrlp_nrf_timer_clear_event(0, HRLP_NRF_TIMER_HALF);
        }
    }
    hrlp_irq_unlock(state);
}
