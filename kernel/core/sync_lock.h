/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SYNC_LOCK_H
#define HRLI_SYNC_LOCK_H

#include "hrlp_cores.h"
#include "hrlp_irq.h"

/*
 * What services hold while they change an object, or a thread that waits for one: interrupts are masked
 * and, with several cores, the lock of services is taken, as any core may use any object. Held for a
 * bounded time, once: a holder does not take it again. What only its own core touches (the ready queue,
 * releasers, the store of time-outs, the switch) needs masked interrupts and no more, so that a core
 * that releases and switches waits for no other. sync_lock.pml is a model of the lock, meeting.pml of the
 * meeting of cores before it.
 */
enum {
    HRLI_LOCK_OF_SERVICES = 0,
    HRLI_LOCK_OF_MATCH = 1,  /* kernel/thread/slice_match.h */
    HRLI_LOCKS_OF_KERNEL = 2 /* behind these come the application's spinlocks */
};

/*
 * Whether a service may do its short way by a linked load and store (hrlp_cpu.h): not with several cores, as others
 * change the object under the lock.
 */
#define HRLI_SYNC_LINKS (HRLP_CPU_LINKS && HRL_CORES == 1)

/* Context: any, but not a holder. */
static inline hrlp_irq_state hrli_sync_lock(void)
{
    hrlp_irq_state state = hrlp_irq_lock();

    if (HRL_CORES > 1) {
        hrlp_lock_take(HRLI_LOCK_OF_SERVICES);
    }
    return state;
}

/* Lets other cores go on; interrupts stay masked. Context: a holder, which calls hrlp_irq_unlock later. */
static inline void hrli_sync_release(void)
{
    if (HRL_CORES > 1) {
        hrlp_lock_give(HRLI_LOCK_OF_SERVICES);
    }
}

/* `state` is what hrli_sync_lock returned. */
static inline void hrli_sync_unlock(hrlp_irq_state state)
{
    hrli_sync_release();
    hrlp_irq_unlock(state);
}

/*
 * For what only threads touch, with dispatch held off. On one core that keeps the other threads away, and interrupts are
 * let in; with several, threads of other cores go on, so it needs the lock of services as well. hrli_threads_keep goes over
 * from hrli_sync_lock to that, with the `state` that it returned, and hrli_threads_mask back; hrli_threads_lock comes from
 * outside. Context: a thread, dispatch held off.
 */
static inline void hrli_threads_keep(hrlp_irq_state state)
{
    if (HRL_CORES == 1) {
        hrlp_irq_unlock(state);
    }
}

static inline hrlp_irq_state hrli_threads_mask(hrlp_irq_state state)
{
    return HRL_CORES > 1 ? state : hrlp_irq_lock();
}

static inline hrlp_irq_state hrli_threads_lock(void)
{
    return HRL_CORES > 1 ? hrli_sync_lock() : (hrlp_irq_state)0;
}

static inline void hrli_threads_unlock(hrlp_irq_state state)
{
    if (HRL_CORES > 1) {
        hrli_sync_unlock(state);
    }
}

#endif
