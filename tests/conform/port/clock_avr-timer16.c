/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "avr_timer16.h"
#include "conform.h"

/* The timer itself is left alone, as the cells count with it: waits until it shows the lower half. */
void conform_clock_set(hrl_stamp stamp)
{
    while (TCNT1 != (uint16_t)stamp) {
    }
    hrlp_avr_timer16.high = (uint16_t)(stamp >> 16);
}
