/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_ARCH_H
#define HRLP_IRQ_ARCH_H

#include <stdint.h>

/*
 * BASEPRI masks the kernel's priority and everything less urgent; more urgent interrupts go on.
 */
#define HRLP_ARMV7M_KERNEL_PRIORITY 0x80u /* of the timer cells, and what the lock masks */
#define HRLP_IRQ_UNLOCKED 0u              /* BASEPRI masks nothing */

static inline hrlp_irq_state hrlp_irq_lock(void)
{
    hrlp_irq_state state;
    __asm__ volatile("mrs %0, basepri\n\t"
                     "msr basepri_max, %1"
                     : "=&r"(state)
                     : "r"(HRLP_ARMV7M_KERNEL_PRIORITY)
                     : "memory");
    return state;
}

static inline void hrlp_irq_unlock(hrlp_irq_state state)
{
    __asm__ volatile("msr basepri, %0" : : "r"(state) : "memory");
}

/*
 * NVIC: a byte of priority a line, a bit to enable it (Armv7-M ARM, B3.4). System exceptions count
 * down from -1, SysTick, and have their priorities in SHPR1 to SHPR3 (B3.2).
 */
static inline void hrlp_irq_enable(int line)
{
    if (line < 0) {
        ((volatile uint8_t *)0xE000ED18u)[12 + line] = HRLP_ARMV7M_KERNEL_PRIORITY;
    } else {
        ((volatile uint8_t *)0xE000E400u)[line] = HRLP_ARMV7M_KERNEL_PRIORITY;
        ((volatile uint32_t *)0xE000E100u)[line / 32] = 1u << (line % 32);
    }
}

static inline void hrlp_irq_clear(int line)
{
    if (line < 0) {
        *(volatile uint32_t *)0xE000ED04u =
            1u << 25; /* ICSR.PENDSTCLR: SysTick is the only one used */
    } else {
        ((volatile uint32_t *)0xE000E280u)[line / 32] = 1u << (line % 32);
    }
}

static inline void hrlp_irq_raise(int line)
{
    if (line < 0) {
        *(volatile uint32_t *)0xE000ED04u = 1u << 26; /* ICSR.PENDSTSET */
    } else {
        ((volatile uint32_t *)0xE000E200u)[line / 32] = 1u << (line % 32);
    }
}

#endif
