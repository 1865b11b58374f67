/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CORES_CONTROLLER_H
#define HRLP_CORES_CONTROLLER_H

#include "hrlp_armv7m_cores.h"
#include "hrlp_irq.h"

/*
 * Arm's SSE-200 (Arm 101104, CoreLink SSE-200 Subsystem for Embedded): its registers at their Secure addresses, which
 * have bit 28 set. Core 1 waits after reset for a 0 in CPUWAIT. Each message handling unit has for each core an
 * interrupt that either core sets and clears: MHU0 is the doorbell.
 */
#define HRLP_SSE200_CPUWAIT (*(volatile uint32_t *)0x50021118u)
enum { HRLP_SSE200_MHU0_LINE = 6 };
struct hrlp_sse200_mhu {
    volatile uint32_t status, set, clear, reserved;
};
#define HRLP_SSE200_MHU0 ((struct hrlp_sse200_mhu *)0x50003000u) /* of a core each */

#define HRLP_LOCKS 31u

/* The next ticket, and the one served. */
struct hrlp_armv7m_lock {
    uint32_t next;
    uint32_t served;
};

extern struct hrlp_armv7m_lock hrlp_armv7m_locks[HRLP_LOCKS];
extern uint32_t hrlp_armv7m_met;      /* so many cores have come to the meeting */
extern uint32_t hrlp_armv7m_meetings; /* there were so many */

static inline unsigned hrlp_core_number(void)
{
    return ((const uint32_t *)hrlp_armv7m_core_limit())[-1];
}

/* The barrier: registers of devices are not ordered behind memory. */
static inline void hrlp_core_ring(unsigned core)
{
    __asm__ volatile("dmb" : : : "memory");
    HRLP_SSE200_MHU0[core].set = 1;
}

/* From its reset (cores.c) to hrl_start. */
static inline void hrlp_cores_start(void)
{
    __asm__ volatile("dsb" : : : "memory");
    HRLP_SSE200_CPUWAIT = 0;
}

static inline void hrlp_cores_meet(void)
{
    uint32_t meetings = __atomic_load_n(&hrlp_armv7m_meetings, __ATOMIC_ACQUIRE);

    if (__atomic_fetch_add(&hrlp_armv7m_met, 1, __ATOMIC_ACQ_REL) == HRL_CORES - 1u) {
        hrlp_armv7m_met = 0;
        __atomic_store_n(&hrlp_armv7m_meetings, meetings + 1u, __ATOMIC_RELEASE);
        return;
    }
    while (__atomic_load_n(&hrlp_armv7m_meetings, __ATOMIC_ACQUIRE) == meetings) {
    }
}

static inline void hrlp_core_answer(void)
{
    hrlp_irq_enable_at(HRLP_SSE200_MHU0_LINE, HRLP_IRQ_OF_CELLS);
}

static inline void *hrlp_core_object(void *own, unsigned core)
{
    uint32_t on_from_here = (core - hrlp_core_number()) * (uint32_t)(uintptr_t)hrl_link_core_stride;

    return (char *)own + (int32_t)on_from_here;
}

/* The compiler takes a ticket by LDREX and STREX. */
static inline void hrlp_lock_take(unsigned lock)
{
    struct hrlp_armv7m_lock *taken = &hrlp_armv7m_locks[lock];
    uint32_t ticket = __atomic_fetch_add(&taken->next, 1, __ATOMIC_RELAXED);

    while (__atomic_load_n(&taken->served, __ATOMIC_ACQUIRE) != ticket) {
    }
}

static inline void hrlp_lock_give(unsigned lock)
{
    struct hrlp_armv7m_lock *given = &hrlp_armv7m_locks[lock];

    __atomic_store_n(&given->served, given->served + 1u, __ATOMIC_RELEASE);
}

#endif
