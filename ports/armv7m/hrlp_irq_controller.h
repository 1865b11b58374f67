/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_CONTROLLER_H
#define HRLP_IRQ_CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * IPSR: the exception that runs, 0 in threads. NMI and hard faults are above everything; of the others
 * SHPR1 to SHPR3 and the NVIC have the priorities, of which the lock BASEPRI masks the kernel's, the
 * lock PRIMASK all.
 */
static inline bool hrlp_irq_is_above(void)
{
    uint32_t exception;

    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    if (exception < 4 || HRL_BASIC_TASKS) {
        return exception != 0 && exception < 4;
    }
    return *(volatile uint8_t *)((exception < 16 ? 0xE000ED14u : 0xE000E3F0u) + exception) <
           HRLP_ARMV7M_KERNEL_PRIORITY;
}

/* BASEPRI is the ceiling of resources where PRIMASK is the lock. */
static inline bool hrlp_irq_is_masked(void)
{
    uint32_t primask;
    uint32_t basepri;

    __asm__ volatile("mrs %0, primask\n\tmrs %1, basepri" : "=r"(primask), "=r"(basepri));
    return primask != 0 || (!HRL_BASIC_TASKS && basepri != 0);
}

/*
 * NVIC: a byte of priority a line, a bit to enable it (Armv7-M ARM, B3.4). System exceptions count
 * down from -1, SysTick, and have their priorities in SHPR1 to SHPR3 (B3.2). The upper three bits,
 * which every silicon has: 0x00 is 7, 0x80 the kernel's 3, 0xE0 the dispatch's 0.
 */
static inline void hrlp_irq_enable_at(int line, unsigned priority)
{
    uint8_t urgency = (uint8_t)((7u - priority) << 5);

    if (line < 0) {
        ((volatile uint8_t *)0xE000ED18u)[12 + line] = urgency;
    } else {
        ((volatile uint8_t *)0xE000E400u)[line] = urgency;
        ((volatile uint32_t *)0xE000E100u)[line / 32] = 1u << (line % 32);
    }
}

static inline void hrlp_irq_disable(int line)
{
    ((volatile uint32_t *)0xE000E180u)[line / 32] = 1u << (line % 32);
    __asm__ volatile("dsb\n\tisb" : : : "memory");
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
        *(volatile uint32_t *)0xE000EF00u = (uint32_t)line; /* STIR */
    }
}

#endif
