/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_ARCH_H
#define HRLP_IRQ_ARCH_H

#include <stdint.h>

/*
 * mstatus.MIE masks everything; this processor knows no priorities among interrupts. A hart's own
 * lines have the number of their cause, negative: -3 the software interrupt, -7 the timer, -11 the
 * PLIC's external one.
 */
#define HRLP_RV32_MIE (1u << 3)
#define HRLP_IRQ_UNLOCKED HRLP_RV32_MIE
#define HRLP_IRQ_LINES 96 /* of QEMU's virt machine; 0 does not exist */
#define HRLP_IRQ_HIGHEST HRL_INTERRUPT_KERNEL
#define HRLP_IRQ_CAN_RAISE false

enum { HRLP_RV32_SOFTWARE_LINE = -3, HRLP_RV32_TIMER_LINE = -7, HRLP_RV32_EXTERNAL_LINE = -11 };

/*
 * The PLIC, as hart 0 in machine mode sees it (RISC-V PLIC specification 1.0): a word of priority a
 * line, a bit to enable it. A line of priority 0 never interrupts, but can be completed, which one
 * that is not enabled cannot: its handler may disable it. So disabling is that.
 */
#define HRLP_RV32_PLIC_PRIORITY ((volatile uint32_t *)0x0C000000u)
#define HRLP_RV32_PLIC_ENABLE ((volatile uint32_t *)0x0C002000u)
#define HRLP_RV32_PLIC_THRESHOLD (*(volatile uint32_t *)0x0C200000u)
#define HRLP_RV32_PLIC_CLAIM (*(volatile uint32_t *)0x0C200004u) /* write: complete */

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

static inline void hrlp_irq_enable_at(int line, unsigned priority)
{
    if (line >= 0) {
        hrlp_irq_state state = hrlp_irq_lock();

        HRLP_RV32_PLIC_PRIORITY[line] = priority == 0 ? 1 : priority;
        HRLP_RV32_PLIC_ENABLE[line / 32] |= 1u << (line % 32);
        HRLP_RV32_PLIC_THRESHOLD = 0;
        hrlp_irq_unlock(state);
        line = HRLP_RV32_EXTERNAL_LINE;
    }
    __asm__ volatile("csrs mie, %0" : : "r"(1u << -line) : "memory");
}

/* Reading it back lasts until the PLIC has it. */
static inline void hrlp_irq_disable(int line)
{
    HRLP_RV32_PLIC_PRIORITY[line] = 0;
    (void)HRLP_RV32_PLIC_PRIORITY[line];
}

/* Levels: they fall with their cause, and what the PLIC remembers only a claim forgets. */
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

static inline bool hrlp_irq_is_free(int line)
{
    return line != 0;
}

#endif
