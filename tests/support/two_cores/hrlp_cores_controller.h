/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CORES_CONTROLLER_H
#define HRLP_CORES_CONTROLLER_H

#include "hrlp_irq.h"
#include <assert.h>
#include <stddef.h>

/*
 * Two cores for unit tests, of which one runs at a time: the test says which (two_cores.h). Locks and rings are counted, and
 * a lock that is taken twice, or without interrupts masked, ends the test. Lock 0 is that of services.
 */
#define HRLP_LOCKS 5u

extern unsigned two_cores_number;
extern unsigned two_cores_rings[HRL_CORES];
extern unsigned two_cores_locks;        /* the lock of services was taken so often */
extern bool two_cores_locked;           /* it is taken */
extern bool two_cores_spun[HRLP_LOCKS]; /* others are */
extern void (*two_cores_after_lock)(
    void); /* unless NULL, what the other core does whenever a lock was given */
void *two_cores_object(void *own, unsigned core);

/* What others have put into the list of `core`, which runs, while the test was another core for a moment. */
void two_cores_deliver(unsigned core);

static inline unsigned hrlp_core_number(void)
{
    return two_cores_number;
}

static inline void hrlp_cores_start(void) {}

static inline void hrlp_cores_meet(void) {}

static inline void hrlp_core_answer(void) {}

static inline void hrlp_core_ring(unsigned core)
{
    assert(core != two_cores_number);
    two_cores_rings[core]++;
}

static inline void *hrlp_core_object(void *own, unsigned core)
{
    return two_cores_object(own, core);
}

static inline void hrlp_lock_take(unsigned lock)
{
    assert(lock < HRLP_LOCKS && hrlp_irq_is_masked());
    if (lock != 0) {
        assert(!two_cores_spun[lock]);
        two_cores_spun[lock] = true;
        return;
    }
    assert(!two_cores_locked);
    two_cores_locked = true;
    two_cores_locks++;
}

static inline void hrlp_lock_give(unsigned lock)
{
    assert(lock < HRLP_LOCKS && hrlp_irq_is_masked());
    if (lock != 0) {
        assert(two_cores_spun[lock]);
        two_cores_spun[lock] = false;
        return;
    }
    assert(two_cores_locked);
    two_cores_locked = false;
    if (two_cores_after_lock != NULL) {
        two_cores_after_lock();
    }
}

#endif
