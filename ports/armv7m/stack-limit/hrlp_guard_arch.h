/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_GUARD_ARCH_H
#define HRLP_GUARD_ARCH_H

#include "hrlp_cores.h"
#include <stddef.h>
#include <stdint.h>

/*
 * The stack limit registers of Armv8-M Mainline (Armv8-M ARM, B3.8 and B3.21): a stack pointer that
 * would fall below its limit raises a fault in place of what moves it, however far. PSPLIM goes with
 * the running thread; MSPLIM stays, and each core of several has set it at its start (sse200/cores.c).
 *
 * What the switch saves it stores through a register that no limit watches. So PSPLIM is by as much
 * above the lowest word of the stack, which stays the word that is painted: a context never lies on it.
 */
#ifdef __ARM_FP
enum { HRLP_ARMV8M_BELOW_LIMIT = 4 + 36 + 64 };
#else
enum { HRLP_ARMV8M_BELOW_LIMIT = 4 + 36 };
#endif

#define HRLP_GUARD_MORE 0
#define HRLP_ARMV8M_CCR (*(volatile uint32_t *)0xE000ED14u)
#define HRLP_ARMV8M_STKOFHFNMIGN                                                                   \
    (1u << 10) /* of CCR: the report of a fault may use what lies below */

static inline void hrlp_guard_move(const void *stack)
{
    uintptr_t limit = ((uintptr_t)stack + HRLP_ARMV8M_BELOW_LIMIT + 7) & ~(uintptr_t)7;

    __asm__ volatile("msr psplim, %0" : : "r"(limit));
}

#if HRL_CORES == 1
/* The board's link.ld says it; without it the main stack has no limit. */
extern uint32_t hrl_link_main_stack_low[] __attribute__((weak));

static inline void hrlp_armv8m_limit_main_stack(uintptr_t limit)
{
    __asm__ volatile("msr msplim, %0" : : "r"(limit));
}
#endif

static inline bool hrlp_guard_start(const void *stack)
{
    HRLP_ARMV8M_CCR |= HRLP_ARMV8M_STKOFHFNMIGN;
#if HRL_CORES == 1
    hrlp_armv8m_limit_main_stack(((uintptr_t)hrl_link_main_stack_low + 7) & ~(uintptr_t)7);
#endif
    if (stack != NULL) {
        hrlp_guard_move(stack);
    }
    return true;
}

static inline void *hrlp_guard_lowest(void *stack)
{
    return (void *)(((uintptr_t)stack + 3) & ~(uintptr_t)3);
}

static inline const char *hrlp_guard_end(uintptr_t address)
{
    (void)address; /* no access is refused: fault.c knows this fault by its flag */
    __asm__ volatile("msr psplim, %0" : : "r"(0));
#if HRL_CORES == 1
    hrlp_armv8m_limit_main_stack(0);
#endif
    return NULL;
}

#endif
