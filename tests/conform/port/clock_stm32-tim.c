/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "stm32_tim.h"

/* Nothing counts meanwhile; no channel is armed, and a number that is stepped over is none that matches. */
void conform_clock_set(hrl_stamp stamp)
{
    HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_CLOCK, HRLP_STM32_TIM_CR1) = HRLP_STM32_TIM_URS;
#if HRLP_STM32_TIM_CLOCK_BITS == 32
    HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_CLOCK, HRLP_STM32_TIM_CNT) = stamp;
#else
    HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_CLOCK, HRLP_STM32_TIM_CNT) = stamp & 0xFFFFu;
    HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_WRAP, HRLP_STM32_TIM_CNT) = stamp >> 16;
#endif
    HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_CLOCK, HRLP_STM32_TIM_CR1) =
        HRLP_STM32_TIM_URS | HRLP_STM32_TIM_CEN;
}
