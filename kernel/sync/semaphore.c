/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "wait.h"
#include <hrl/semaphore.h>

/* Apart, so that who need not wait has no frame to build for it. Context: locked; unlocks. */
static __attribute__((noinline)) enum hrl_status wait_for(struct hrl_semaphore *semaphore,
                                                          hrl_counts until, hrlp_irq_state state)
{
    if (until == HRL_NO_WAIT) {
        hrlp_irq_unlock(state);
        return HRL_WOULD_WAIT;
    }
    do {
        hrli_wait_enter(&semaphore->waiters, state);
        if (semaphore->count == 0) {
            return hrli_wait_stay(until, state);
        }
        hrli_wait_leave(state);
        state = hrlp_irq_lock();
    } while (semaphore->count == 0);
    semaphore->count--;
    hrlp_irq_unlock(state);
    return HRL_OK;
}

enum hrl_status hrl_semaphore_take(struct hrl_semaphore *semaphore, hrl_counts until)
{
    hrlp_irq_state state = hrlp_irq_lock();
    uint32_t count = semaphore->count;

    if (count == 0) {
        HRLI_CHECK(semaphore->limit != 0, "a semaphore that is not initialised");
        return wait_for(semaphore, until, state);
    }
    semaphore->count = count - 1;
    hrlp_irq_unlock(state);
    return HRL_OK;
}

enum hrl_status hrl_semaphore_give(struct hrl_semaphore *semaphore)
{
    hrlp_irq_state state = hrlp_irq_lock();
    uint32_t count = semaphore->count;
    struct hrl_thread *thread;

    if (semaphore->waiters.first == NULL) {
        bool fits = count < semaphore->limit;
        HRLI_CHECK(fits || count != 0, "a semaphore that is not initialised");
        semaphore->count = count + fits;
        hrlp_irq_unlock(state);
        return fits ? HRL_OK : HRL_FULL;
    }
    thread = hrli_wait_queue_pop(&semaphore->waiters);
    hrli_wake(thread, HRL_OK);
    hrlp_irq_unlock(state);
    hrli_core_dispatch_above(thread->waiter.ready.level);
    return HRL_OK;
}

uint32_t hrl_semaphore_count(const struct hrl_semaphore *semaphore)
{
    return semaphore->count;
}
