/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_START_CONTROLLER_H
#define HRLP_START_CONTROLLER_H

#include "hrlp_lines_controller.h"
#include <stdint.h>

/* What differs among Cortex-M in start-up (ports/cortex-m/startup.c). */

#define HRLP_CORTEX_M_LINES HRLP_ARMV7M_LINES

/* From an exception's first instructions to a function anywhere. */
#define HRLP_CORTEX_M_JUMP(function) "b " function

/* System Handler Priority Registers: SVC; SysTick and PendSV. All start at HRLP_IRQ_OF_DISPATCH. */
#define HRLP_ARMV7M_SHPR2 (*(volatile uint32_t *)0xE000ED1Cu)
#define HRLP_ARMV7M_SHPR3 (*(volatile uint32_t *)0xE000ED20u)
/* Configuration and Control; System Handler Control and State (Armv7-M ARM, B3.2). */
#define HRLP_ARMV7M_CCR (*(volatile uint32_t *)0xE000ED14u)
#define HRLP_ARMV7M_SHCSR (*(volatile uint32_t *)0xE000ED24u)
/* Coprocessor Access Control Register. */
#define HRLP_ARMV7M_CPACR (*(volatile uint32_t *)0xE000ED88u)

/* Context: start-up, interrupts as reset left them. */
static inline void hrlp_cortex_m_prepare(void)
{
    HRLP_ARMV7M_SHPR2 = 0xE0000000u;
    HRLP_ARMV7M_SHPR3 = 0xE0E00000u;
    HRLP_ARMV7M_CCR |= 1u << 4;    /* a division by zero is a fault */
    HRLP_ARMV7M_SHCSR = 3u << 16u; /* faults of memory are exceptions of their own (fault.c) */
#ifdef __ARM_FP /* the compiler uses the floating-point unit, which reset leaves off */
    HRLP_ARMV7M_CPACR |= 0xFu << 20;
    __asm__ volatile("dsb\n\tisb" : : : "memory");
#endif
}

#endif
