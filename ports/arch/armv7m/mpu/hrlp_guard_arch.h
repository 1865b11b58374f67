/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_GUARD_ARCH_H
#define HRLP_GUARD_ARCH_H

#include <stdint.h>

/*
 * A region of the memory protection unit, 32 bytes that nobody may touch: the lowest of the stack
 * that are aligned to 32 (Armv7-M ARM, B3.5). It is region 7, which wins against all others;
 * everything else is as without the unit. Handlers see it, too. The fault handler does not: the
 * unit is off while a hard fault is handled.
 */
#define HRLP_ARMV7M_MPU ((volatile uint32_t *)0xE000ED90u)
enum {
    HRLP_ARMV7M_MPU_TYPE,
    HRLP_ARMV7M_MPU_CTRL,
    HRLP_ARMV7M_MPU_RNR,
    HRLP_ARMV7M_MPU_RBAR,
    HRLP_ARMV7M_MPU_RASR
};
enum { HRLP_ARMV7M_GUARD_BYTES = 32, HRLP_ARMV7M_GUARD_REGION = 7 };

static inline uintptr_t hrlp_armv7m_guard(const void *stack)
{
    return ((uintptr_t)stack + HRLP_ARMV7M_GUARD_BYTES - 1) &
           ~(uintptr_t)(HRLP_ARMV7M_GUARD_BYTES - 1);
}

/*
 * One store chooses the region (VALID, bit 4) and moves it. The exception's return makes it hold.
 */
static inline void hrlp_guard_move(const void *stack)
{
    HRLP_ARMV7M_MPU[HRLP_ARMV7M_MPU_RBAR] =
        hrlp_armv7m_guard(stack) | 1u << 4 | HRLP_ARMV7M_GUARD_REGION;
}

static inline bool hrlp_guard_start(const void *stack)
{
    if ((HRLP_ARMV7M_MPU[HRLP_ARMV7M_MPU_TYPE] >> 8 & 0xFFu) <= HRLP_ARMV7M_GUARD_REGION) {
        return false;
    }
    hrlp_guard_move(stack);
    HRLP_ARMV7M_MPU[HRLP_ARMV7M_MPU_RASR] =
        1u << 28 | 4u << 1 | 1u; /* no execution, no access, 2^(4 + 1) bytes, on */
    HRLP_ARMV7M_MPU[HRLP_ARMV7M_MPU_CTRL] = 1u << 2 | 1u; /* the usual map elsewhere, on */
    __asm__ volatile("dsb\n\tisb" : : : "memory");
    return true;
}

static inline void *hrlp_guard_lowest(void *stack)
{
    return (void *)(hrlp_armv7m_guard(stack) + HRLP_ARMV7M_GUARD_BYTES);
}

#endif
