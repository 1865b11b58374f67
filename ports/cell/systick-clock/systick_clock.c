/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "systick_clock.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"

struct hrlp_systick_clock hrlp_systick_clock;

enum { ENABLE = 1u << 0, INTERRUPT = 1u << 1, PROCESSOR_CLOCK = 1u << 2 };

/* Writing the value clears it, and the reload value comes a count after. */
void hrlp_clock_start(void)
{
    hrlp_systick_clock.high = 0;
    hrlp_systick_clock.wrapped = 0;
    hrlp_irq_enable_at(HRLP_SYSTICK_CLOCK_LINE,
                       HRL_BASIC_TASKS ? HRL_INTERRUPT_HIGHEST : HRL_INTERRUPT_KERNEL);
    HRLP_SYSTICK_CLOCK->reload = HRLP_SYSTICK_CLOCK_COUNTS - 1u;
    HRLP_SYSTICK_CLOCK->value = 0;
    HRLP_SYSTICK_CLOCK->control = ENABLE | INTERRUPT | PROCESSOR_CLOCK;
}

/* Generated for the clock: once in 2^32 counts it tells the kernel. */
void Clock_Handler(void);

void SysTick_Handler(void);
void SysTick_Handler(void)
{
    uint32_t high = hrlp_systick_clock.high + HRLP_SYSTICK_CLOCK_COUNTS;

    hrlp_systick_clock.high = high;
    if (__builtin_expect(high == 0, 0)) {
        hrlp_systick_clock.wrapped = 1;
        Clock_Handler();
    }
}
