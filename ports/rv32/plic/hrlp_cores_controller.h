/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CORES_CONTROLLER_H
#define HRLP_CORES_CONTROLLER_H

#include "hrlp_irq.h"

/*
 * Harts with atomic instructions, that all see one memory. A hart's variables of HRLP_PER_CORE are thread-local to the
 * compiler; those of hart n are hrl_link_core_bytes behind those of hart n - 1 (link.ld).
 */
#define HRLP_RV32_MSIP ((volatile uint32_t *)0x02000000u) /* of a hart each */
#define HRLP_LOCKS 31u

/* The next ticket, and the one served. */
struct hrlp_rv32_lock {
    uint32_t next;
    uint32_t served;
};

extern struct hrlp_rv32_lock hrlp_rv32_locks[HRLP_LOCKS];
extern uint32_t hrlp_rv32_started;  /* cores.S */
extern uint32_t hrlp_rv32_met;      /* so many cores have come to the meeting */
extern uint32_t hrlp_rv32_meetings; /* there were so many */
extern char hrl_link_core_bytes[];  /* its address is the number */

static inline unsigned hrlp_core_number(void)
{
    return hrlp_rv32_hart();
}

static inline void hrlp_core_ring(unsigned core)
{
    __asm__ volatile("fence rw, o" : : : "memory");
    HRLP_RV32_MSIP[core] = 1;
}

/* cores.S: they sleep until then. */
static inline void hrlp_cores_start(void)
{
    __atomic_store_n(&hrlp_rv32_started, 1, __ATOMIC_RELEASE);
    for (unsigned core = 1; core < HRL_CORES; core++) {
        hrlp_core_ring(core);
    }
}

static inline void hrlp_cores_meet(void)
{
    uint32_t meetings = __atomic_load_n(&hrlp_rv32_meetings, __ATOMIC_ACQUIRE);

    if (__atomic_fetch_add(&hrlp_rv32_met, 1, __ATOMIC_ACQ_REL) == HRL_CORES - 1u) {
        hrlp_rv32_met = 0;
        __atomic_store_n(&hrlp_rv32_meetings, meetings + 1u, __ATOMIC_RELEASE);
        return;
    }
    while (__atomic_load_n(&hrlp_rv32_meetings, __ATOMIC_ACQUIRE) == meetings) {
    }
}

static inline void hrlp_core_answer(void)
{
    hrlp_rv32_enable_cause(HRLP_RV32_SOFTWARE_LINE);
}

static inline void *hrlp_core_object(void *own, unsigned core)
{
    uint32_t on_from_here = (core - hrlp_core_number()) * (uint32_t)(uintptr_t)hrl_link_core_bytes;

    return (char *)own + (int32_t)on_from_here;
}

static inline void hrlp_lock_take(unsigned lock)
{
    struct hrlp_rv32_lock *taken = &hrlp_rv32_locks[lock];
    uint32_t ticket = __atomic_fetch_add(&taken->next, 1, __ATOMIC_RELAXED);

    while (__atomic_load_n(&taken->served, __ATOMIC_ACQUIRE) != ticket) {
    }
}

static inline void hrlp_lock_give(unsigned lock)
{
    struct hrlp_rv32_lock *given = &hrlp_rv32_locks[lock];

    __atomic_store_n(&given->served, given->served + 1u, __ATOMIC_RELEASE);
}

#endif
