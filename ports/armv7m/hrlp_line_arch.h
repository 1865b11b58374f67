/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_LINE_ARCH_H
#define HRLP_LINE_ARCH_H

#include "hrlp_irq.h"

/*
 * NVIC: basic tasks on the first 32 lines, and the upper three bits of priority, which every silicon has. Level 8
 * is 0x00, level 1 is 0xE0, the dispatch's. BASEPRI is the ceiling; the kernel's lock is PRIMASK
 * (hrlp_irq_arch.h).
 */
#define HRLP_LINE_CONTROLLER true
#define HRLP_LINE_LEVELS 8u

#define HRLP_ARMV7M_ISPR (*(volatile uint32_t *)0xE000E200u)
#define HRLP_ARMV7M_ACTIVE(word) (((volatile uint32_t *)0xE000E300u)[word])
#define HRLP_ARMV7M_IABR HRLP_ARMV7M_ACTIVE(0)

static inline void hrlp_line_raise(uint32_t set)
{
    HRLP_ARMV7M_ISPR = set;
}

static inline void hrlp_line_settle(void)
{
    __asm__ volatile("dsb\n\tisb" : : : "memory");
}

static inline uint32_t hrlp_line_open(void)
{
    return HRLP_ARMV7M_ISPR | HRLP_ARMV7M_IABR;
}

static inline uint32_t hrlp_armv7m_urgency(unsigned level)
{
    return (HRLP_LINE_LEVELS - level) << 5;
}

static inline void hrlp_line_enable(int line, unsigned level)
{
    uint8_t urgency = (uint8_t)hrlp_armv7m_urgency(level);

    if (line < 0) {
        ((volatile uint8_t *)0xE000ED18u)[12 + line] = urgency;
    } else {
        ((volatile uint8_t *)0xE000E400u)[line] = urgency;
        ((volatile uint32_t *)0xE000E100u)[line / 32] = 1u << (line % 32);
    }
}

/* SysTick's active bit is the eleventh of SHCSR. */
static inline bool hrlp_line_is_active(int line)
{
    if (HRLP_IRQ_LINES > 32 && line >= 32) {
        return (HRLP_ARMV7M_ACTIVE(line / 32) >> (line % 32) & 1u) != 0;
    }
    return line < 0 ? (*(volatile uint32_t *)0xE000ED24u >> 11 & 1u) != 0
                    : (HRLP_ARMV7M_IABR >> line & 1u) != 0;
}

/*
 * BASEPRI 0 masks nothing, and nothing masks level 8 but PRIMASK: a ceiling of 8 masks it with
 * PRIMASK, and the bit of that is returned beside BASEPRI's.
 */
static inline uint32_t hrlp_line_raise_ceiling(unsigned level)
{
    uint32_t before;
    uint32_t primask = 0;

    __asm__ volatile("mrs %0, basepri" : "=r"(before));
    if (level == HRLP_LINE_LEVELS) {
        __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask) : : "memory");
        primask ^= 1u;
    } else {
        __asm__ volatile("msr basepri_max, %0" : : "r"(hrlp_armv7m_urgency(level)) : "memory");
    }
    return before | primask;
}

static inline void hrlp_line_restore_ceiling(uint32_t before)
{
    if ((before & 1u) != 0) {
        __asm__ volatile("cpsie i\n\tisb" : : : "memory");
    } else {
        __asm__ volatile("msr basepri, %0\n\tisb" : : "r"(before) : "memory");
    }
}

static inline uint32_t hrlp_line_ceiling(void)
{
    uint32_t ceiling;

    __asm__ volatile("mrs %0, basepri" : "=r"(ceiling));
    return ceiling;
}

static inline unsigned hrlp_armv7m_level(uint32_t urgency)
{
    return HRLP_LINE_LEVELS - (urgency >> 5);
}

/* No handler between the two has begun. SysTick's urgency is the last byte of SHPR3. */
static inline bool hrlp_line_interrupted(unsigned level, unsigned by)
{
    unsigned most =
        hrlp_line_is_active(-1) ? hrlp_armv7m_level(*(volatile uint8_t *)0xE000ED23u) : 0;

    most = most < by ? most : 0;
    for (unsigned first = 0; first < HRLP_IRQ_LINES; first += 32) {
        for (uint32_t active = HRLP_ARMV7M_ACTIVE(first / 32); active != 0; active &= active - 1u) {
            unsigned line = first + (unsigned)__builtin_ctz(active);
            unsigned its = hrlp_armv7m_level(((volatile uint8_t *)0xE000E400u)[line]);

            most = its < by && its > most ? its : most;
        }
    }
    return most == level;
}

#endif
