/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "systick_clock.h"

/* The 24 bits are counted down from what is written, which comes a count after the value is cleared. */
void conform_clock_set(hrl_stamp stamp)
{
    uint32_t left = (0u - stamp) & (HRLP_SYSTICK_CLOCK_COUNTS - 1u);

    HRLP_SYSTICK_CLOCK->reload = left;
    HRLP_SYSTICK_CLOCK->value = 0;
    while (HRLP_SYSTICK_CLOCK->value == 0) {
    }
    HRLP_SYSTICK_CLOCK->reload = HRLP_SYSTICK_CLOCK_COUNTS - 1u;
    hrlp_systick_clock.high = stamp & ~(HRLP_SYSTICK_CLOCK_COUNTS - 1u);
}
