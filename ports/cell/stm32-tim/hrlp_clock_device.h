/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLOCK_DEVICE_H
#define HRLP_CLOCK_DEVICE_H

#include "hrlp_narrow_clock.h"
#include "stm32_tim.h"

/* Cells count with the clock, and start after it was read: none interrupts before its instant. */
#define HRLP_CELL_EARLY_COUNTS 0u

/* No timer takes what is written to it before hrlp_clock_start, which lets their clocks through. */
#define HRLP_CELLS_NEED_THE_CLOCK 1

#if HRLP_STM32_TIM_CLOCK_BITS == 32
static inline hrl_stamp hrlp_clock_read(void)
{
    return HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_CLOCK, HRLP_STM32_TIM_CNT);
}
#else
/*
 * The upper timer sees an overflow of the lower one some counts after it, as the trigger is synchronised: until the
 * lower one has counted to 8 the two are not read. They are of one moment if the upper one is the same after the lower.
 */
static inline hrl_stamp hrlp_clock_read(void)
{
    uint32_t high;
    uint32_t low;

    do {
        high = HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_WRAP, HRLP_STM32_TIM_CNT);
        low = HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_CLOCK, HRLP_STM32_TIM_CNT);
    } while (low < 8u || high != HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_WRAP, HRLP_STM32_TIM_CNT));
    return high << 16 | low;
}
#endif

static inline bool hrlp_clock_wrap_pending(void)
{
    return (HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_WRAP, HRLP_STM32_TIM_SR) & HRLP_STM32_TIM_UIF) !=
           0;
}

#endif
