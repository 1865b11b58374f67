/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_ARCH_H
#define HRLP_IRQ_ARCH_H

#include "hrlp_cpu.h"
#include <avr/io.h>
#include <stdint.h>

/*
 * The lock is bit I of the status register, which masks everything. Its end makes a switch that was asked for
 * meanwhile (hrlp_cpu_arch.h).
 */
#define HRLP_IRQ_UNLOCKED (1u << SREG_I)
#define HRLP_IRQ_HIGHEST HRL_INTERRUPT_KERNEL

static inline hrlp_irq_state hrlp_irq_lock(void)
{
    uint8_t status = SREG;

    __asm__ volatile("cli" : : : "memory");
    return status & HRLP_IRQ_UNLOCKED;
}

static inline void hrlp_irq_mask(void)
{
    __asm__ volatile("cli" : : : "memory");
}

static inline __attribute__((always_inline)) void hrlp_irq_unmask(void)
{
    if (__builtin_expect(hrlp_avr_owes != 0, 0)) {
        hrlp_avr_switch_here();
    } else {
        __asm__ volatile("sei" : : : "memory");
    }
}

/* hrlp_irq_unlock of a build for size; cpu.c. */
void hrlp_avr_unlock(uint8_t state);

/* Within a handler nothing was let through before. */
static inline void hrlp_irq_unlock(hrlp_irq_state state)
{
    if (HRLI_SMALL) {
        hrlp_avr_unlock((uint8_t)state);
    } else if ((uint8_t)state != 0) {
        hrlp_irq_unmask();
    }
}

/* The lock masks everything. */
static inline bool hrlp_irq_is_above(void)
{
    return false;
}

static inline bool hrlp_irq_is_masked(void)
{
    return !hrlp_avr_is_open();
}

/* The lines: HRLP_IRQ_LINES and so on. */
#include "hrlp_irq_controller.h"

#include "hrlp_no_pairs.h"

#endif
