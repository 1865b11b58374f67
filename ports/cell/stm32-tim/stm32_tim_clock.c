/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "stm32_tim.h"

/* The clock of a timer needs some cycles after this before its registers can be written: the register is read back. */
#define ENABLE(register, bits)                                                                     \
    *(volatile uint32_t *)(register) |= (bits);                                                    \
    (void)*(volatile uint32_t *)(register);

/* From 0 up to its last number, by no prescaler, stopped; its flags clear. */
static void prepare(uint32_t base, uint32_t last)
{
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_CR1) = HRLP_STM32_TIM_URS;
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_PSC) = 0;
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_ARR) = last;
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_EGR) = HRLP_STM32_TIM_UG;
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_SR) = 0;
}

static void let_go(uint32_t base)
{
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_CR1) = HRLP_STM32_TIM_URS | HRLP_STM32_TIM_CEN;
}

void hrlp_clock_start(void)
{
    HRLP_STM32_TIM_ENABLES(ENABLE)
#if HRLP_STM32_TIM_CLOCK_BITS == 32
    prepare(HRLP_STM32_TIM_CLOCK, 0xFFFFFFFFu);
#else
    /* The lower one tells the upper one of its updates, also of that in `prepare`: the upper one listens after it. */
    HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_CLOCK, HRLP_STM32_TIM_CR2) = HRLP_STM32_TIM_MMS_UPDATE;
    prepare(HRLP_STM32_TIM_CLOCK, 0xFFFFu);
    prepare(HRLP_STM32_TIM_WRAP, 0xFFFFu);
    HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_WRAP, HRLP_STM32_TIM_SMCR) =
        HRLP_STM32_TIM_TRIGGER << HRLP_STM32_TIM_TS_SHIFT | HRLP_STM32_TIM_SMS_EXTERNAL;
    let_go(HRLP_STM32_TIM_WRAP);
#endif
    HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_WRAP, HRLP_STM32_TIM_DIER) = HRLP_STM32_TIM_UIF;
    hrlp_irq_enable_at(HRLP_STM32_TIM_CLOCK_LINE, HRLP_IRQ_OF_CELLS);
    let_go(HRLP_STM32_TIM_CLOCK);
}
