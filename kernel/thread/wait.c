/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "wait.h"
#include "check.h"
#include "no_timeouts.h"
#include "system.h"
#include <hrl/time.h>

HRLI_MAY_HAVE_NO_TIMEOUTS;

/* Takes the node of `self` out unless it was served. Context: its thread, dispatch held off. */
static void withdraw(const struct hrli_timeouts *timeouts, struct hrl_thread *self)
{
    if (self->timeout_state == HRLI_TIMEOUT_ARMED) {
        struct hrli_releaser *releaser = timeouts->releaser;

        hrli_releaser_begin_use(releaser);
        if (self->timeout_state == HRLI_TIMEOUT_ARMED) { /* still, and no handler serves it now */
            timeouts->remove(&self->timeout);
        }
        hrli_releaser_end_use(releaser);
        if (releaser->deferred) {
            hrli_releaser_catch_up(releaser);
        }
    }
    HRLP_SHOW(self->timeout_state, HRLI_TIMEOUT_NONE);
}

/*
 * The thread leaves the ready queue before its node is put in, so that a waker in between finds it
 * waiting like any other thread.
 */
void hrli_wait_for_key(struct hrl_thread *self, hrl_stamp key, hrlp_irq_state state)
{
    const struct hrli_timeouts *timeouts = hrli_core.timeouts;

    HRLI_CHECK(timeouts != NULL, HRLI_NO_TIMEOUTS_REASON);
    self->timeout.key = key;
    HRLP_SHOW(self->timeout_state, HRLI_TIMEOUT_ARMED);
    hrli_ready_remove(&hrli_core.ready, &self->ready);
    hrlp_irq_unlock(state);
    if (HRLI_SMALL) {
        hrl_gen_put_timeout(&self->timeout);
    } else {
        timeouts->put(&self->timeout);
    }
    hrlp_cpu_request_switch(); /* allows dispatch */
}

/* hrli_wait_for_key, and out of the store again. `state`: the lock of services is held. */
static void wait_for_hop(struct hrl_thread *self, hrl_stamp key, hrlp_irq_state state)
{
    if (HRL_GLOBAL_THREADS && hrli_is_global(self)) {
        hrli_global_wait(self, key, state);
        hrli_core_lock_dispatch();
        return;
    }
    hrli_sync_release();
    hrli_wait_for_key(self, key, state);
    hrli_core_lock_dispatch();
    withdraw(hrli_core.timeouts, self);
}

/*
 * Takes the lock of services, unless another core has woken the thread and the handler that says so to this core has
 * not come yet: that comes first. Whether it has been taken.
 */
static inline __attribute__((always_inline)) bool lock_unless_woken(struct hrl_thread *self,
                                                                    hrlp_irq_state *state)
{
    if (HRL_GLOBAL_THREADS && hrli_is_global(self)) {
        hrli_global_forget(self);
    }
    *state = hrli_sync_lock();
    if (HRL_CORES > 1 && hrli_is_woken(self)) {
        hrli_sync_unlock(*state);
        return false;
    }
    return true;
}

/*
 * Waits until `until` or to be woken; each hop begins at the present instant, as the thread may have
 * been kept from running for longer than a stamp can tell. Behind the last one, and once the thread
 * is woken, the clock is not asked. Context: a thread, dispatch held off; it is allowed afterwards.
 */
static enum hrl_status wait_until(struct hrl_thread *self, hrl_counts until)
{
    for (;;) {
        hrl_counts now = until != 0 ? hrl_now() : 0;
        hrlp_irq_state state;
        bool is_last;

        if (!lock_unless_woken(self, &state)) {
            continue;
        }
        if (until <= now || self->wait_status != HRLI_WAITING) {
            if (self->wait_status == HRLI_WAITING) {
                hrli_wait_queue_remove(self);
                self->wait_status = HRL_TIMED_OUT;
            }
            hrli_sync_unlock(state);
            hrli_core_unlock_dispatch();
            return (enum hrl_status)self->wait_status;
        }
        is_last = until - now <= HRLI_PERIOD_HOP_COUNTS;
        wait_for_hop(self, (hrl_stamp)now + hrli_period_step(until - now), state);
        if (is_last || HRLP_SEE(self->wait_status) != HRLI_WAITING) {
            until = 0;
        }
    }
}

void hrli_wait_end(struct hrl_thread *thread)
{
    if (!HRLP_SEE(thread->suspended) && !hrli_ready_is_in(&hrli_core.ready, &thread->ready)) {
        hrli_ready_add(&hrli_core.ready, &thread->ready);
    }
}

void hrli_wait_enter(struct hrli_wait_queue *queue, hrlp_irq_state state)
{
    struct hrl_thread *self = hrli_core.running;
    struct hrl_thread **link = &queue->first;

    if (*link != NULL && (*link)->ready.priority > self->ready.priority) {
        hrli_core_lock_dispatch();
        link = hrli_wait_queue_search(queue, self->ready.priority, state);
    }
    self->wait_status = HRLI_WAITING;
    self->wait.queue = queue;
    hrli_wait_queue_insert(link, self);
}

void hrli_wait_leave(hrlp_irq_state state)
{
    struct hrl_thread *self = hrli_core.running;

    hrli_wait_queue_remove(self);
    self->wait_status = HRL_OK;
    hrli_sync_unlock(state);
    hrli_core_unlock_dispatch();
}

enum hrl_status hrli_wait_forever(hrlp_irq_state state)
{
    struct hrl_thread *self = hrli_core.running;

    hrli_ready_remove(&hrli_core.ready, &self->ready);
    hrli_global_leaves(self);
    hrli_sync_unlock(state);
    hrlp_cpu_request_switch();
    return (enum hrl_status)self->wait_status;
}

enum hrl_status hrli_wait_stay(hrl_counts until, hrlp_irq_state state)
{
    struct hrl_thread *self = hrli_core.running;

    if (until == HRL_FOREVER) {
        return hrli_wait_forever(state);
    }
    hrli_core_lock_dispatch();
    hrli_sync_unlock(state);
    return wait_until(self, until);
}

enum hrl_status hrli_wait(struct hrli_wait_queue *queue, hrl_counts until, hrlp_irq_state state)
{
    if (until == HRL_NO_WAIT) {
        hrli_sync_unlock(state);
        return HRL_WOULD_WAIT;
    }
    hrli_wait_enter(queue, state);
    return hrli_wait_stay(until, state);
}
