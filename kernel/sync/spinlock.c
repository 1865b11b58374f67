/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "hrlp_cores.h"
#include "hrlp_per_core.h"
#include "sync_lock.h"
#include <hrl/spinlock.h>
#include <stddef.h>

/* All locks behind the kernel's; one core has none, and needs none. */
#define MOST_SPINLOCKS (HRL_CORES > 1 ? HRLP_LOCKS - HRLI_LOCKS_OF_KERNEL : UINT32_MAX)

/* The lock between cores that `spinlock` is; its number is from 1 on. */
static inline unsigned lock_of(const struct hrl_spinlock *spinlock)
{
    return HRLI_LOCKS_OF_KERNEL - 1u + spinlock->number;
}

/* The spinlocks that this core holds, the last one first: no other code of the core runs meanwhile. With checks only. */
static HRLP_PER_CORE struct hrl_spinlock *held;

/* Interrupts are masked first, so that the core that has its turn uses it at once. */
void hrl_spinlock_take(struct hrl_spinlock *spinlock)
{
    hrlp_irq_state before;

    HRLI_CHECK_CALL("hrl_spinlock_take");
    HRLI_CHECK(spinlock->number - 1u < MOST_SPINLOCKS,
               "hrl_spinlock_take: the board has no lock of this number");
    before = hrlp_irq_lock();
    HRLI_CHECK(held == NULL || held->number < spinlock->number,
               "hrl_spinlock_take: spinlocks are taken in ascending order of their numbers");
    if (HRL_CORES > 1) {
        hrlp_lock_take(lock_of(spinlock));
    }
    spinlock->before = before;
    if (HRL_CHECKS) {
        spinlock->below = held;
        held = spinlock;
    }
}

void hrl_spinlock_give(struct hrl_spinlock *spinlock)
{
    hrlp_irq_state before;

    HRLI_CHECK_CALL("hrl_spinlock_give");
    HRLI_CHECK(held == spinlock, "hrl_spinlock_give: this core has not taken it last");
    before = (hrlp_irq_state)spinlock->before; /* while it is held */
    if (HRL_CHECKS) {
        held = spinlock->below;
    }
    if (HRL_CORES > 1) {
        hrlp_lock_give(lock_of(spinlock));
    }
    hrlp_irq_unlock(before);
}
