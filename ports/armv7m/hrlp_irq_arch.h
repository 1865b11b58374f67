/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_ARCH_H
#define HRLP_IRQ_ARCH_H

#include "hrlp_lines_controller.h" /* HRLP_IRQ_LINES */
#include <stdint.h>

/*
 * BASEPRI masks the kernel's priority and everything less urgent; more urgent interrupts go on.
 */
#define HRLP_ARMV7M_KERNEL_PRIORITY 0x80u /* of the timer cells, and what the lock masks */
#ifndef HRLP_IRQ_LINES
#define HRLP_IRQ_LINES 32
#endif
#define HRLP_IRQ_UNLOCKED 0u /* BASEPRI, or PRIMASK, masks nothing */
#define HRLP_IRQ_HIGHEST HRL_INTERRUPT_HIGHEST
#define HRLP_IRQ_NESTS true
#define HRLP_IRQ_ORDERS true
#define HRLP_IRQ_CAN_RAISE true

#if HRL_BASIC_TASKS /* as tasks of every priority call the kernel: PRIMASK masks all of them */
#include "cortex_m_primask.h"
#else
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

static inline void hrlp_irq_mask(void)
{
    hrlp_irq_unlock(HRLP_ARMV7M_KERNEL_PRIORITY);
}

static inline void hrlp_irq_unmask(void)
{
    uint32_t unlocked;

    /* Of a 0 that it has to load itself the compiler makes a comparison's result, for more. */
    __asm__ volatile("movs %0, #0\n\tmsr basepri, %0" : "=&l"(unlocked) : : "cc", "memory");
}

#define HRLP_CORTEX_M_UNMASK                                                                       \
    "msr basepri, r0\n\t" /* the end of the lock before the idle loop; r0 is 0 */
#endif

#include "hrlp_irq_controller.h"

#include "cortex_m_vectors.h"

static inline struct hrlp_irq_attached hrlp_irq_load(const struct hrlp_irq_attached *attached)
{
    struct hrlp_irq_attached it;

    __asm__ volatile("ldrd %0, %1, %2" : "=r"(it.handler), "=r"(it.argument) : "Q"(*attached));
    return it;
}

#endif
