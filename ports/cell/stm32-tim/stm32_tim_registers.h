/* SPDX-FileCopyrightText: The stm32-data authors */
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef STM32_TIM_REGISTERS_H
#define STM32_TIM_REGISTERS_H

/* Written by setup/distil_stm32.py: offsets of registers, bits, values. CCR and CCIF are of channel 1. */
#define HRLP_STM32_TIM_CR1 0x00u
#define HRLP_STM32_TIM_CR2 0x04u
#define HRLP_STM32_TIM_SMCR 0x08u
#define HRLP_STM32_TIM_DIER 0x0cu
#define HRLP_STM32_TIM_SR 0x10u
#define HRLP_STM32_TIM_EGR 0x14u
#define HRLP_STM32_TIM_CNT 0x24u
#define HRLP_STM32_TIM_PSC 0x28u
#define HRLP_STM32_TIM_ARR 0x2cu
#define HRLP_STM32_TIM_CCR 0x34u
#define HRLP_STM32_TIM_CEN (1u << 0)
#define HRLP_STM32_TIM_URS (1u << 2)
#define HRLP_STM32_TIM_OPM (1u << 3)
#define HRLP_STM32_TIM_ARPE (1u << 7)
#define HRLP_STM32_TIM_UIF (1u << 0)
#define HRLP_STM32_TIM_CCIF (1u << 1)
#define HRLP_STM32_TIM_UG (1u << 0)
#define HRLP_STM32_TIM_TS_SHIFT 4
#define HRLP_STM32_TIM_MMS_UPDATE (2u << 4)
#define HRLP_STM32_TIM_SMS_EXTERNAL (7u << 0)

#endif
