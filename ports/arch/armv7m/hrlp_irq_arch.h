/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_ARCH_H
#define HRLP_IRQ_ARCH_H

#include <stdint.h>

/*
 * BASEPRI masks the kernel's priority and everything less urgent; more urgent interrupts go on.
 */
#define HRLP_ARMV7M_KERNEL_PRIORITY 0x80u /* of the timer cells, and what the lock masks */
#define HRLP_IRQ_UNLOCKED 0u              /* BASEPRI, or PRIMASK, masks nothing */
#define HRLP_IRQ_LINES 32
#define HRLP_IRQ_HIGHEST HRL_INTERRUPT_HIGHEST
#define HRLP_IRQ_NESTS true
#define HRLP_IRQ_CAN_RAISE true

#if HRL_BASIC_TASKS /* as tasks of every priority call the kernel: PRIMASK masks all of them */
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
#endif

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
        ((volatile uint32_t *)0xE000E200u)[line / 32] = 1u << (line % 32);
    }
}

/* The vectors of lines that nobody defines; the table lies where VTOR says. */
void hrlp_armv7m_line(void);

static inline bool hrlp_irq_is_free(int line)
{
    const uint32_t *vectors = (const uint32_t *)*(volatile uint32_t *)0xE000ED08u;

    return vectors[16 + line] == (uint32_t)(uintptr_t)hrlp_armv7m_line;
}

#endif
