/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "nrf_timer.h"

enum { SLOW = 0x18000, NEAR = 64, FAST_EXPONENT = 0, TURNS = 0x40000 };

static uint32_t left_until(hrl_stamp stamp)
{
    return (stamp - hrlp_nrf_timer_count()) & HRLP_NRF_TIMER_CLOCK_MASK;
}

/* Until the counter is at most `before` counts before `stamp`; a turn is less than `turn` counts. */
static void wait(hrl_stamp stamp, uint32_t before, uint32_t turn)
{
    uint32_t left;

    while ((left = left_until(stamp)) > before) {
        (void)hrlp_clock_wrap_pending(); /* serves the halves, masked or not */
        left = (left - before) / turn;
        for (uint32_t turns = left < TURNS ? left : TURNS; turns > 0; turns--) {
            __asm__ volatile("nop\n\tnop\n\tnop\n\tnop");
        }
    }
}

/* Until the counter shows the lower bits, at 1 MHz. */
static void wait_for(hrl_stamp stamp)
{
    wait(stamp, NEAR, 1);
    while (left_until(stamp) != 0) {
    }
}

/*
 * The counter cannot be set: waits until it shows the lower bits, most of the time at 16 MHz, and then until the other
 * timers can be put in step again.
 */
void conform_clock_set(hrl_stamp stamp)
{
    HRLP_NRF_TIMER(0)->prescaler = FAST_EXPONENT;
    wait(stamp, SLOW, 8);
    HRLP_NRF_TIMER(0)->prescaler = HRLP_NRF_TIMER_PRESCALER;
    wait_for(stamp & ~(uint32_t)0xFFFF);
    for (unsigned timer = 1; timer < HRLP_NRF_TIMER_TIMERS; timer++) {
        HRLP_NRF_TIMER(timer)->clear = 1;
    }
    wait_for(stamp);
    hrlp_nrf_timer_clock.half = (stamp & ~HRLP_NRF_TIMER_CLOCK_MASK) |
                                (hrlp_nrf_timer_clock.half & HRLP_NRF_TIMER_CLOCK_MASK);
}
