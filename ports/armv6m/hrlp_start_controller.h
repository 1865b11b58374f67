/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_START_CONTROLLER_H
#define HRLP_START_CONTROLLER_H

#include <stdint.h>

/* What differs among Cortex-M in start-up (ports/cortex-m/startup.c). */

/*
 * From an exception's first instructions to a function anywhere: a branch reaches 2 KiB. The exception's frame has r3.
 */
#define HRLP_CORTEX_M_JUMP(function) "ldr r3, =" function "\n\tbx r3\n\t.pool"

/* In a loop of stores: else compilers call memset, which is longer. */
#define HRLP_CORTEX_M_KEEPS_LOOP __asm__ volatile("")

/* SVC, PendSV and SysTick start at HRLP_IRQ_OF_DISPATCH: System Handler Priority Registers 2 and 3. */
static inline void hrlp_cortex_m_prepare(void)
{
    *(volatile uint32_t *)0xE000ED1Cu = 0xC0000000u;
    *(volatile uint32_t *)0xE000ED20u = 0xC0C00000u;
}

#endif
