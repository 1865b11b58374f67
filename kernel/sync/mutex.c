/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "level.h"
#include <hrl/mutex.h>

/*
 * Only threads touch mutexes, those of one core. The short ways mask interrupts, which keeps other threads away as
 * well; the long ones hold dispatch off. A mutex that a thread waits for is always among those that
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

static void own_at_ceiling(struct hrl_mutex *mutex, struct hrl_thread *self)
{
    mutex->owner = self;
    count_for(self, mutex);
    hrli_level_update(self);
}

/* The owner's level may be raised for a thread that waits no longer. Context: dispatch held off. */
static void after_time_out(struct hrl_mutex *mutex)
{
    struct hrl_thread *owner = mutex->owner;

    if (owner != NULL) {
        if (mutex->counts && mutex->waiters.first == NULL && mutex->ceiling == 0) {
            count_no_more(owner, mutex);
        }
        hrli_level_update(owner);
    }
}

/* Context: dispatch held off, in the mutex's queue. */
static enum hrl_status wait_for(struct hrl_mutex *mutex, struct hrl_thread *self, hrl_counts until)
{
    enum hrl_status status;

    self->awaited = mutex;
    count_for(mutex->owner, mutex);
    hrli_level_update(mutex->owner);
    status = hrli_wait_stay(until, hrli_sync_lock());
    if (status != HRL_OK) {
        hrli_core_lock_dispatch();
        self->awaited = NULL;
        after_time_out(mutex);
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
    state = hrli_sync_lock();
    owner = mutex->owner;
    HRLI_CHECK(owner == NULL || !hrli_is_elsewhere(owner),
               "a mutex locked by threads of two cores");
    HRLI_CHECK(owner != self, "a mutex locked twice by its owner");
    HRLI_CHECK(mutex->ceiling == 0 || self->ready.base_priority <= mutex->ceiling,
               "a thread above the ceiling of its mutex");
    if (owner == NULL && mutex->ceiling == 0) {
        mutex->owner = self;
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
        hrli_sync_unlock(state);
        return wait_for(mutex, self, until);
    }
    hrli_sync_unlock(state);
    own_at_ceiling(mutex, self);
    hrli_core_allow_dispatch(self->ready.priority);
    return HRL_OK;
}

/* Context: dispatch held off. */
static void hand_over(struct hrl_mutex *mutex, struct hrl_thread *heir)
{
    hrlp_irq_state state = hrli_sync_lock();

    (void)hrli_wait_queue_pop(&mutex->waiters);
    hrli_wake(heir, HRL_OK);
    hrli_sync_unlock(state);
    heir->awaited = NULL;
    if (mutex->ceiling != 0 || mutex->waiters.first != NULL) {
        count_for(heir, mutex);
        hrli_level_update(heir);
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
        mutex->owner = NULL;
        hrli_sync_unlock(state);
        return;
    }
    hrli_core_lock_dispatch();
    hrli_sync_unlock(state);
    count_no_more(self, mutex);
    mutex->owner = mutex->waiters.first;
    if (mutex->owner != NULL) {
        hand_over(mutex, mutex->owner);
    }
    hrli_level_update(self);
    hrli_core_allow_dispatch(self->ready.priority);
}

struct hrl_thread *hrl_mutex_owner(const struct hrl_mutex *mutex)
{
    return mutex->owner;
}
