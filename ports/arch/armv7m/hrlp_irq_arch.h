/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_ARCH_H
#define HRLP_IRQ_ARCH_H

/*
 * BASEPRI masks the kernel's priority and everything less urgent; more urgent interrupts go on.
 */
#define HRLP_ARMV7M_KERNEL_PRIORITY 0x80u /* of the timer cells, and what the lock masks */

static inline hrlp_irq_state hrlp_irq_lock(void)
{
    hrlp_irq_state state;
    __asm__ volatile("mrs %0, basepri\n\t"
                     "msr basepri, %1"
                     : "=&r"(state)
                     : "r"(HRLP_ARMV7M_KERNEL_PRIORITY)
                     : "memory");
    return state;
}

static inline void hrlp_irq_unlock(hrlp_irq_state state)
{
    __asm__ volatile("msr basepri, %0" : : "r"(state) : "memory");
}

#endif
