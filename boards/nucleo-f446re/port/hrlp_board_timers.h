/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* The timers of STM32F446RE that board.toml names. Written by `horolog board new`. */
#ifndef HRLP_BOARD_TIMERS_H
#define HRLP_BOARD_TIMERS_H

/* TIM2 counts, its compare channels are instances 0 to 3; the overflow of TIM2 is the clock's. */
#define HRLP_STM32_TIM_CLOCK 0x40000000u
#define HRLP_STM32_TIM_WRAP 0x40000000u
#define HRLP_STM32_TIM_CLOCK_BITS 32
#define HRLP_STM32_TIM_CLOCK_LINE 28
#define HRLP_STM32_TIM_COMPARE_LINE 28

/* The other timers, instances 5 and more. */
#define HRLP_STM32_TIM_OTHER(channel)                                                              \
    ((channel) == 5u    ? 0x40000c00u                                                              \
     : (channel) == 6u  ? 0x40010000u                                                              \
     : (channel) == 7u  ? 0x40000400u                                                              \
     : (channel) == 8u  ? 0x40000800u                                                              \
     : (channel) == 9u  ? 0x40010400u                                                              \
     : (channel) == 10u ? 0x40014000u                                                              \
     : (channel) == 11u ? 0x40014400u                                                              \
     : (channel) == 12u ? 0x40014800u                                                              \
     : (channel) == 13u ? 0x40001800u                                                              \
     : (channel) == 14u ? 0x40001c00u                                                              \
     : (channel) == 15u ? 0x40002000u                                                              \
                        : 0u)
#define HRLP_STM32_TIM_OTHER_LINE(channel)                                                         \
    ((channel) == 5u    ? 50                                                                       \
     : (channel) == 6u  ? 25                                                                       \
     : (channel) == 7u  ? 29                                                                       \
     : (channel) == 8u  ? 30                                                                       \
     : (channel) == 9u  ? 44                                                                       \
     : (channel) == 10u ? 24                                                                       \
     : (channel) == 11u ? 25                                                                       \
     : (channel) == 12u ? 26                                                                       \
     : (channel) == 13u ? 43                                                                       \
     : (channel) == 14u ? 44                                                                       \
     : (channel) == 15u ? 45                                                                       \
                        : 0)

/* The registers that let their clocks through, and the bits there. */
#define HRLP_STM32_TIM_ENABLES(ENABLE)                                                             \
    ENABLE(0x40023840u, 0x000001cfu) ENABLE(0x40023844u, 0x00070003u)

#endif
