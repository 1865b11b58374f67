/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_ARCH_H
#define HRLP_IRQ_ARCH_H

#include <stdint.h>

/*
 * The lock is mstatus.MIE, which masks everything. A hart's own lines have the number of their
 * cause, negative: -3 the software interrupt, -7 the timer, -11 the external one, which is the
 * interrupt controller's.
 */
#define HRLP_RV32_MIE (1u << 3)
#define HRLP_IRQ_UNLOCKED HRLP_RV32_MIE
#define HRLP_IRQ_HIGHEST HRL_INTERRUPT_KERNEL

enum { HRLP_RV32_SOFTWARE_LINE = -3, HRLP_RV32_TIMER_LINE = -7, HRLP_RV32_EXTERNAL_LINE = -11 };

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

static inline void hrlp_irq_mask(void)
{
    __asm__ volatile("csrci mstatus, 8" : : : "memory");
}

static inline void hrlp_irq_unmask(void)
{
    __asm__ volatile("csrsi mstatus, 8" : : : "memory");
}

/* The lock masks everything. */
static inline bool hrlp_irq_is_above(void)
{
    return false;
}

static inline bool hrlp_irq_is_masked(void)
{
    uint32_t status;

    __asm__ volatile("csrr %0, mstatus" : "=r"(status) : : "memory");
    return (status & HRLP_RV32_MIE) == 0;
}

/* The hart that this runs on; with one core it is 0. */
static inline uint32_t hrlp_rv32_hart(void)
{
    uint32_t number = 0;

    if (HRL_CORES > 1) {
        __asm__("csrr %0, mhartid" : "=r"(number)); /* not volatile: it never changes */
    }
    return number;
}

static inline void hrlp_rv32_enable_cause(int line)
{
    __asm__ volatile("csrs mie, %0" : : "r"(1u << -line) : "memory");
}

/* The interrupt controller's part: HRLP_IRQ_LINES and so on, and its lines. */
#include "hrlp_irq_controller.h"

#include "hrlp_no_pairs.h"

#endif
