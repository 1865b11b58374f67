/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_ring_controller.h"

#if HRL_TRACE_CYCLES /* else the clock counts, and there is nothing here */
#include "hrlp_ring_vectors_controller.h"

/* Armv6-M ARM, B3.3. On going from 1 to 0, where the complement of the count wraps, it becomes pending. */
#define CONTROL (*(volatile uint32_t *)0xE000E010u)
#define RELOAD (*(volatile uint32_t *)0xE000E014u)
/* Its upper byte is SysTick's priority: 0 is the highest. */
#define SHPR3 (*(volatile uint32_t *)0xE000ED20u)

enum { ENABLE = 1u << 0, INTERRUPT = 1u << 1, PROCESSOR_CLOCK = 1u << 2 };

volatile uint32_t hrlp_ring_wraps;

/* Writing the value clears it, and the reload value comes a count after. */
void hrlp_ring_start_stamps(void)
{
    hrlp_ring_wraps = 0;
    SHPR3 &= 0x00FFFFFFu;
    RELOAD = HRLP_ARMV6M_SYSTICK_COUNTS - 1u;
    HRLP_ARMV6M_SYSTICK_VALUE = 0;
    CONTROL = ENABLE | INTERRUPT | PROCESSOR_CLOCK;
}

void hrlp_ring_wrapped(void)
{
    hrlp_ring_wraps += HRLP_ARMV6M_SYSTICK_COUNTS;
}
#endif
