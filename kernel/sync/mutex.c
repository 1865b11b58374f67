/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "level.h"
#include <hrl/mutex.h>

/*
 * Only threads touch mutexes. The short ways have the lock of services; the long ones hold dispatch off, which with one
 * core keeps other threads away (hrli_threads_keep). The owner may be a thread of another core; only that core changes
 * its level (level.h). A mutex that a thread waits for is always among those that
 * count. With checks every mutex is, so that a thread that ends with one is found.
 */

static void count_for(struct hrl_thread *owner, struct hrl_mutex *mutex)
{
    if (!mutex->counts) {
        mutex->counts = true;
        mutex->next = owner->held;
        owner->held = mutex;
    }
}

static void count_no_more(struct hrl_thread *owner, struct hrl_mutex *mutex)
{
    struct hrl_mutex **link = &owner->held;

    while (*link != mutex) {
        link = &(*link)->next;
    }
    *link = mutex->next;
    mutex->counts = false;
}

/* Unlocks. Context: behind hrli_threads_keep. */
static void own_at_ceiling(struct hrl_mutex *mutex, struct hrl_thread *self, hrlp_irq_state state)
{
    HRLP_SHOW(mutex->owner, self);
    count_for(self, mutex);
    hrli_threads_unlock(state);
    hrli_level_update(self);
}

/* The owner's level may be raised for `self`, which waits no longer. Context: dispatch held off. */
static void after_time_out(struct hrl_mutex *mutex, struct hrl_thread *self)
{
    hrlp_irq_state state = hrli_threads_lock();
    struct hrl_thread *owner;

    HRLP_SHOW(self->awaited, NULL);
    owner = mutex->owner;
    if (owner == NULL) {
        hrli_threads_unlock(state);
        return;
    }
    if (mutex->counts && mutex->waiters.first == NULL && mutex->ceiling == 0) {
        count_no_more(owner, mutex);
    }
    hrli_threads_unlock(state);
    hrli_level_update(owner);
}

/*
 * Unlocks. With several cores the lock is kept until the thread waits, as the mutex may be handed over to it from then
 * on. Context: behind hrli_threads_keep, in the mutex's queue.
 */
static enum hrl_status wait_for(struct hrl_mutex *mutex, struct hrl_thread *self, hrl_counts until,
                                hrlp_irq_state state)
{
    enum hrl_status status;

    HRLP_SHOW(self->awaited, mutex);
    count_for(mutex->owner, mutex);
    hrli_level_update_soon(mutex->owner);
    status = hrli_wait_stay(until, hrli_threads_mask(state));
    if (status != HRL_OK) {
        hrli_core_lock_dispatch();
        after_time_out(mutex, self);
        hrli_core_allow_dispatch(self->ready.priority);
    }
    return status;
}

enum hrl_status hrl_mutex_lock(struct hrl_mutex *mutex, hrl_counts until)
{
    struct hrl_thread *self = hrli_core.running;
    hrlp_irq_state state;
    struct hrl_thread *owner;

    if (until == HRL_NO_WAIT) {
        HRLI_CHECK_THREAD("hrl_mutex_lock");
    } else {
        HRLI_CHECK_MAY_WAIT("hrl_mutex_lock that may wait");
    }
    HRLI_CHECK_OF_ONE_CORE("hrl_mutex_lock", self);
    state = hrli_sync_lock();
    owner = mutex->owner;
    HRLI_CHECK(owner != self, "a mutex locked twice by its owner");
    HRLI_CHECK(mutex->ceiling == 0 || self->ready.base_priority <= mutex->ceiling,
               "a thread above the ceiling of its mutex");
    if (owner == NULL && mutex->ceiling == 0) {
        HRLP_SHOW(mutex->owner, self);
        if (HRL_CHECKS) {
            count_for(self, mutex);
        }
        hrli_sync_unlock(state);
        return HRL_OK;
    }
    if (owner != NULL && until == HRL_NO_WAIT) {
        hrli_sync_unlock(state);
        return HRL_WOULD_WAIT;
    }
    hrli_core_lock_dispatch();
    if (owner != NULL) {
        hrli_wait_enter(&mutex->waiters, state);
        hrli_threads_keep(state);
        return wait_for(mutex, self, until, state);
    }
    hrli_threads_keep(state);
    own_at_ceiling(mutex, self, state);
    hrli_core_allow_dispatch(self->ready.priority);
    return HRL_OK;
}

/* `heir`, the first that waits, may be a thread of any core. Context: behind hrli_threads_keep. */
static void hand_over(struct hrl_mutex *mutex, struct hrl_thread *heir, hrlp_irq_state state)
{
    state = hrli_threads_mask(state);
    (void)hrli_wait_queue_pop(&mutex->waiters);
    hrli_wake(heir, HRL_OK);
    hrli_threads_keep(state);
    HRLP_SHOW(heir->awaited, NULL);
    if (mutex->ceiling != 0 || mutex->waiters.first != NULL) {
        count_for(heir, mutex);
        hrli_level_update_soon(heir);
    }
}

void hrl_mutex_unlock(struct hrl_mutex *mutex)
{
    struct hrl_thread *self = hrli_core.running;
    hrlp_irq_state state;

    HRLI_CHECK_THREAD("hrl_mutex_unlock");
    state = hrli_sync_lock();
    HRLI_CHECK(mutex->owner == self, "a mutex unlocked by a thread that does not own it");
    if (!mutex->counts) {
        HRLP_SHOW(mutex->owner, NULL);
        hrli_sync_unlock(state);
        return;
    }
    hrli_core_lock_dispatch();
    hrli_threads_keep(state);
    count_no_more(self, mutex);
    HRLP_SHOW(mutex->owner, mutex->waiters.first);
    if (mutex->owner != NULL) {
        hand_over(mutex, mutex->owner, state);
    }
    hrli_threads_unlock(state);
    hrli_level_update(self);
    hrli_core_allow_dispatch(self->ready.priority);
}

struct hrl_thread *hrl_mutex_owner(const struct hrl_mutex *mutex)
{
    return HRLP_SEE(mutex->owner);
}
