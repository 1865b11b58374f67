/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_GUARD_ARCH_H
#define HRLP_GUARD_ARCH_H

#include <stddef.h>
#include <stdint.h>

/*
 * Regions of the memory protection unit that no code may touch (Armv7-M ARM, B3.5); everything else
 * is as without the unit. Region 7, which wins against all others, moves with the running thread:
 * the lowest HRL_GUARD_BYTES of its stack that are aligned to as many. Two stay: 256 bytes of the
 * main stack, as frames of larger functions nest there; and where the vector table lies at 0, its
 * first 64 bytes, so that NULL is found. The hardware reads vectors without asking the unit, and
 * software none of these (those of lines lie behind). Handlers see all three. The report of a fault
 * does not, as it ends them.
 */
#define HRLP_ARMV7M_MPU ((volatile uint32_t *)0xE000ED90u)
enum {
    HRLP_ARMV7M_MPU_TYPE,
    HRLP_ARMV7M_MPU_CTRL,
    HRLP_ARMV7M_MPU_RNR,
    HRLP_ARMV7M_MPU_RBAR,
    HRLP_ARMV7M_MPU_RASR
};
#ifndef HRL_GUARD_BYTES /* the build may say more: frames that are larger jump over it */
#define HRL_GUARD_BYTES 32
#endif
_Static_assert(HRL_GUARD_BYTES >= 32 && (HRL_GUARD_BYTES & (HRL_GUARD_BYTES - 1)) == 0,
               "HRL_GUARD_BYTES is a power of two, 32 or more");
#define HRLP_GUARD_MORE (2 * (HRL_GUARD_BYTES - 32))
enum { HRLP_ARMV7M_NULL_BYTES = 64, HRLP_ARMV7M_MAIN_BYTES = 256 };
enum { HRLP_ARMV7M_NULL_REGION = 5, HRLP_ARMV7M_MAIN_REGION, HRLP_ARMV7M_GUARD_REGION };

/* The board's link.ld says it; without it the main stack has no guard. */
extern uint32_t hrl_link_main_stack_low[] __attribute__((weak));

static inline uintptr_t hrlp_armv7m_guard(const void *stack, uintptr_t bytes)
{
    return ((uintptr_t)stack + bytes - 1) & ~(bytes - 1);
}

/*
 * One store chooses the region (VALID, bit 4) and moves it. The exception's return makes it hold.
 */
static inline void hrlp_guard_move(const void *stack)
{
    HRLP_ARMV7M_MPU[HRLP_ARMV7M_MPU_RBAR] =
        hrlp_armv7m_guard(stack, HRL_GUARD_BYTES) | 1u << 4 | HRLP_ARMV7M_GUARD_REGION;
}

static inline void hrlp_armv7m_forbid(uintptr_t low, unsigned region, unsigned bytes)
{
    HRLP_ARMV7M_MPU[HRLP_ARMV7M_MPU_RBAR] = low | 1u << 4 | region;
    HRLP_ARMV7M_MPU[HRLP_ARMV7M_MPU_RASR] =
        1u << 28 | (unsigned)(__builtin_ctz(bytes) - 1) << 1 | 1u; /* no execution, no access */
}

static inline bool hrlp_guard_start(const void *stack)
{
    if ((HRLP_ARMV7M_MPU[HRLP_ARMV7M_MPU_TYPE] >> 8 & 0xFFu) <= HRLP_ARMV7M_GUARD_REGION) {
        return false;
    }
    if (*(volatile uint32_t *)0xE000ED08u == 0) { /* VTOR */
        hrlp_armv7m_forbid(0, HRLP_ARMV7M_NULL_REGION, HRLP_ARMV7M_NULL_BYTES);
    }
    if (hrl_link_main_stack_low != NULL) {
        hrlp_armv7m_forbid(hrlp_armv7m_guard(hrl_link_main_stack_low, HRLP_ARMV7M_MAIN_BYTES),
                           HRLP_ARMV7M_MAIN_REGION, HRLP_ARMV7M_MAIN_BYTES);
    }
    if (stack != NULL) {
        hrlp_armv7m_forbid(hrlp_armv7m_guard(stack, HRL_GUARD_BYTES), HRLP_ARMV7M_GUARD_REGION,
                           HRL_GUARD_BYTES);
    }
    HRLP_ARMV7M_MPU[HRLP_ARMV7M_MPU_CTRL] = 1u << 2 | 1u; /* the usual map elsewhere, on */
    __asm__ volatile("dsb\n\tisb" : : : "memory");
    return true;
}

static inline void *hrlp_guard_lowest(void *stack)
{
    return (void *)(hrlp_armv7m_guard(stack, HRL_GUARD_BYTES) + HRL_GUARD_BYTES);
}

static inline const char *hrlp_guard_end(uintptr_t address)
{
    static const char *const reasons[] = {
        "an access by a pointer that is NULL",
        "stack overflow: the main stack's guard was touched",
        "stack overflow: the guard was touched",
    };

    HRLP_ARMV7M_MPU[HRLP_ARMV7M_MPU_CTRL] = 0;
    for (unsigned region = HRLP_ARMV7M_GUARD_REGION; region >= HRLP_ARMV7M_NULL_REGION; region--) {
        HRLP_ARMV7M_MPU[HRLP_ARMV7M_MPU_RNR] = region;
        uint32_t attributes = HRLP_ARMV7M_MPU[HRLP_ARMV7M_MPU_RASR];
        uintptr_t low = HRLP_ARMV7M_MPU[HRLP_ARMV7M_MPU_RBAR] & ~31u;

        if ((attributes & 1u) != 0 && address - low < 2u << (attributes >> 1 & 31u)) {
            return reasons[region - HRLP_ARMV7M_NULL_REGION];
        }
    }
    return NULL;
}

#endif
