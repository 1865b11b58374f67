/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "hrlp_stm32_tim.h"

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

/* So often what is left is looked at until it fits; the times between two looks differ. */
enum { TRIES = 256 };
#define LAST ((uint32_t)(((uint64_t)1 << HRLP_STM32_TIM_CLOCK_BITS) - 1u))

/*
 * Starts the counter, by a prescaler of 2^`shift`, so that it steps to 0 when the clock is `at` counts behind `now`,
 * less FAR_LATENCY. Returns what was left, which is counted right if it is a multiple of the prescaler. A function of
 * its own, without a branch, so that it always takes as long.
 */
static __attribute__((noinline)) uint32_t start_at(uint32_t base, uint32_t now, uint32_t at,
                                                   uint32_t shift)
{
    const uint32_t left =
        at - ((HRLP_STM32_TIM_REGISTER(HRLP_STM32_TIM_CLOCK, HRLP_STM32_TIM_CNT) - now) & LAST);

    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_CNT) = 0u - (left >> shift);
    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_CR1) =
        HRLP_STM32_TIM_URS | HRLP_STM32_TIM_ARPE | HRLP_STM32_TIM_CEN;
    return left;
}

void hrlp_stm32_tim_start_far(uint32_t base, hrl_stamp first, uint32_t shift)
{
    const uint32_t now = hrlp_clock_read();
    const uint32_t at = first - HRLP_STM32_TIM_FAR_LATENCY - now;
    const uint32_t fits = (1u << shift) - 1u;

    for (uint32_t tries = 1; (start_at(base, now, at, shift) & fits) != 0 && tries < TRIES;
         tries++) {
        HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_CR1) = HRLP_STM32_TIM_URS;
        for (uint32_t i = 0; i < (tries & 7u); i++) {
            (void)HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_CR1);
        }
        HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_EGR) = HRLP_STM32_TIM_UG;
    }
}
