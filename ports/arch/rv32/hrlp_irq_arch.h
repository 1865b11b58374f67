/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_ARCH_H
#define HRLP_IRQ_ARCH_H

#include <stdint.h>

/*
 * mstatus.MIE masks everything; this processor knows no priorities among interrupts. A hart's own lines
 * have the number of their cause, negative: -3 the software interrupt, -7 the timer. The PLIC's lines
 * are not served yet: asking for one is a fault.
 */
#define HRLP_RV32_MIE (1u << 3)
#define HRLP_IRQ_UNLOCKED HRLP_RV32_MIE

enum { HRLP_RV32_SOFTWARE_LINE = -3, HRLP_RV32_TIMER_LINE = -7 };

static inline hrlp_irq_state hrlp_irq_lock(void)
{
    uint32_t status;

    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(status) : : "memory");
    return status & HRLP_RV32_MIE;
}

static inline void hrlp_irq_unlock(hrlp_irq_state state)
{
    __asm__ volatile("csrs mstatus, %0" : : "r"(state) : "memory");
}

static inline void hrlp_irq_enable(int line)
{
    if (line >= 0) {
        __builtin_trap();
    }
    __asm__ volatile("csrs mie, %0" : : "r"(1u << -line) : "memory");
}

/* The hart's own lines are levels: they fall with their cause, and nothing else is remembered. */
static inline void hrlp_irq_clear(int line)
{
    (void)line;
}

/* Software can raise the software interrupt only. */
static inline void hrlp_irq_raise(int line)
{
    if (line != HRLP_RV32_SOFTWARE_LINE) {
        __builtin_trap();
    }
    *(volatile uint32_t *)0x02000000u = 1;
}

#endif
