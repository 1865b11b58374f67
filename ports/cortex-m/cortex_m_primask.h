/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CORTEX_M_PRIMASK_H
#define HRLP_CORTEX_M_PRIMASK_H

/* The lock of hrlp_irq.h by PRIMASK, which masks every line. 1: it masks; 0: it does not. */
static inline hrlp_irq_state hrlp_irq_lock(void)
{
    hrlp_irq_state state;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(state) : : "memory");
    return state;
}

static inline void hrlp_irq_unlock(hrlp_irq_state state)
{
    __asm__ volatile("msr primask, %0" : : "r"(state) : "memory");
}

static inline void hrlp_irq_mask(void)
{
    __asm__ volatile("cpsid i" : : : "memory");
}

static inline void hrlp_irq_unmask(void)
{
    __asm__ volatile("cpsie i" : : : "memory");
}

/* The end of the lock before the idle loop; r0 is 0. */
#define HRLP_CORTEX_M_UNMASK "msr primask, r0\n\t"

#endif
