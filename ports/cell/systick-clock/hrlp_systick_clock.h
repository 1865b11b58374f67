/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_SYSTICK_CLOCK_H
#define HRLP_SYSTICK_CLOCK_H

#include "systick_clock.h"

/* SysTick as the clock is no cell; this is for the acknowledge of its wrap through 32 bits only. */
static inline void hrlp_systick_clock_acknowledge(unsigned channel)
{
    (void)channel;
    hrlp_systick_clock.wrapped = 0;
}

#endif
