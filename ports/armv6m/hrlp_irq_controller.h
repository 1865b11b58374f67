/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_CONTROLLER_H
#define HRLP_IRQ_CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>

/* NMI and hard faults alone are above the lock (IPSR: the exception that runs, 0 in threads). */
static inline bool hrlp_irq_is_above(void)
{
    uint32_t exception;

    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    return exception != 0 && exception < 4;
}

static inline bool hrlp_irq_is_masked(void)
{
    uint32_t primask;

    __asm__ volatile("mrs %0, primask" : "=r"(primask));
    return primask != 0;
}

/*
 * NVIC: a byte of priority a line, of which the upper two bits exist, in registers that are accessed by words; a bit
 * to enable it (Armv6-M ARM, B3.4). System exceptions count down from -1, SysTick, and have their priorities in SHPR2
 * and SHPR3 (B3.2). 0x00 is 3, 0xC0 the dispatch's 0.
 */
static inline void hrlp_irq_enable_at(int line, unsigned priority)
{
    uint32_t at = (line < 0 ? 0xE000ED24u : 0xE000E400u) + (uint32_t)line;
    volatile uint32_t *word = (volatile uint32_t *)(at & ~3u);
    unsigned shift = 8u * (at & 3u);
    hrlp_irq_state state = hrlp_irq_lock();

    *word = (*word & ~((uint32_t)0xFF << shift)) | (3u - priority) << 6 << shift;
    if (line >= 0) {
        *(volatile uint32_t *)0xE000E100u = (uint32_t)1 << line;
    }
    hrlp_irq_unlock(state);
}

static inline void hrlp_irq_disable(int line)
{
    *(volatile uint32_t *)0xE000E180u = (uint32_t)1 << line;
    __asm__ volatile("dsb\n\tisb" : : : "memory");
}

static inline void hrlp_irq_clear(int line)
{
    if (line < 0) {
        *(volatile uint32_t *)0xE000ED04u = 1u << 25; /* ICSR.PENDSTCLR: SysTick */
    } else {
        *(volatile uint32_t *)0xE000E280u = (uint32_t)1 << line;
    }
}

static inline void hrlp_irq_raise(int line)
{
    if (line < 0) {
        *(volatile uint32_t *)0xE000ED04u = 1u << 26; /* ICSR.PENDSTSET */
    } else {
        *(volatile uint32_t *)0xE000E200u = (uint32_t)1 << line;
    }
}

#endif
