/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_STM32_TIM_REGISTERS_H
#define HRLP_STM32_TIM_REGISTERS_H

#include "hrlp_board_timers.h" /* which timers, where they are: the board's (horolog board new) */
#include "stm32_tim_registers.h"
#include <stdint.h>

/*
 * Timers of STM32: up-counters of 16 or 32 bits (reference manual RM0390, 16 to 19, and its like for other families).
 *
 * PSC and, with ARPE, ARR are shadowed: what is written takes effect at the next update, an overflow or UG. UG raises
 * the update's interrupt, too, unless URS is set. A compare channel fires when the counter steps onto its number. The
 * flags are in SR: a 0 clears, a 1 does nothing.
 *
 * Instances 0 to 3 are the compare channels of the clock's timer, instance 4 is the clock, which only its wrap
 * interrupts, and those from 5 on are the other timers.
 */
#define HRLP_STM32_TIM_REGISTER(base, offset) (*(volatile uint32_t *)((base) + (offset)))

#define HRLP_STM32_TIM_IS_COMPARE(channel) ((channel) < 4u)
#define HRLP_STM32_TIM_BASE(channel)                                                               \
    (HRLP_STM32_TIM_IS_COMPARE(channel) ? HRLP_STM32_TIM_CLOCK                                     \
     : (channel) == 4u                  ? HRLP_STM32_TIM_WRAP                                      \
                                        : HRLP_STM32_TIM_OTHER(channel))
#define HRLP_STM32_TIM_LINE(channel)                                                               \
    (HRLP_STM32_TIM_IS_COMPARE(channel) ? HRLP_STM32_TIM_COMPARE_LINE                              \
     : (channel) == 4u                  ? HRLP_STM32_TIM_CLOCK_LINE                                \
                                        : HRLP_STM32_TIM_OTHER_LINE(channel))

/* The flag in SR, also the bit in DIER that lets it interrupt, and in EGR that raises it. */
#define HRLP_STM32_TIM_FLAG(channel)                                                               \
    (HRLP_STM32_TIM_IS_COMPARE(channel) ? HRLP_STM32_TIM_CCIF << (channel) : HRLP_STM32_TIM_UIF)

/*
 * Clears the flag. The store is read back: if it were still on its way when the handler ends, the line would be up,
 * and the handler entered once more.
 */
static inline void hrlp_stm32_tim_clear(unsigned channel)
{
    uint32_t base = HRLP_STM32_TIM_BASE(channel);

    HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_SR) = ~HRLP_STM32_TIM_FLAG(channel);
    (void)HRLP_STM32_TIM_REGISTER(base, HRLP_STM32_TIM_SR);
}

#endif
