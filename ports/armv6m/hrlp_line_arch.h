/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_LINE_ARCH_H
#define HRLP_LINE_ARCH_H

#if HRL_LINE_SERVERS /* of an application without the tool: 8 priorities, which two bits do not hold */
#include "hrlp_no_line.h"
#else

#include "hrlp_irq.h"

/*
 * NVIC: basic tasks on its 32 lines, of the 4 priorities that Armv6-M has. Level 4 is 0x00, level 1 is 0xC0, the
 * dispatch's. There is no BASEPRI, so that every ceiling is PRIMASK, which masks all levels; the tool says that the
 * ceiling of a resource is the highest (`[lines] ceilings_mask_all` in port.toml).
 *
 * The controller does not show which handlers are active (Armv6-M has no IABR). So every line that software raises has
 * words, of which those show what has not ended (`shows_active = false`), and hrlp_line_open is not asked for them;
 * and hrlp_line_is_active knows the handler that runs, not those that it has interrupted.
 */
#define HRLP_LINE_CONTROLLER true
#define HRLP_LINE_LEVELS 4u
#define HRLP_LINE_TRIES_NEXT 1

static inline void hrlp_line_raise(uint32_t set)
{
    *(volatile uint32_t *)0xE000E200u = set; /* ISPR */
}

static inline void hrlp_line_settle(void)
{
    __asm__ volatile("dsb\n\tisb" : : : "memory");
}

/* Those that are pending. */
static inline uint32_t hrlp_line_open(void)
{
    return *(volatile uint32_t *)0xE000E200u;
}

/* hrlp_irq_enable_at counts the same priorities from 0. */
static inline void hrlp_line_enable(int line, unsigned level)
{
    hrlp_irq_enable_at(line, level - 1u);
}

/* IPSR: the exception that runs; SysTick, line -1, is 15. */
static inline bool hrlp_line_is_active(int line)
{
    uint32_t exception;

    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    return exception == (uint32_t)(line + 16);
}

static inline uint32_t hrlp_line_raise_ceiling(unsigned level)
{
    (void)level;
    return hrlp_irq_lock();
}

static inline void hrlp_line_restore_ceiling(uint32_t before)
{
    hrlp_irq_unlock(before);
    __asm__ volatile("isb" : : : "memory");
}

static inline uint32_t hrlp_line_ceiling(void)
{
    uint32_t primask;

    __asm__ volatile("mrs %0, primask" : "=r"(primask));
    return primask;
}

#endif
#endif
