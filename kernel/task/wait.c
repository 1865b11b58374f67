/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "wait.h"
#include "check.h"
#include "system.h"
#include <hrl/time.h>

static struct hrl_thread *thread_of_timeout(struct hrli_queue_node *node)
{
    return (struct hrl_thread *)((char *)node - offsetof(struct hrl_thread, timeout.node));
}

void hrli_timeout_release(struct hrli_releaser *releaser, struct hrli_queue_node *node,
                          hrl_stamp instant)
{
    struct hrli_timeout *timeout = (struct hrli_timeout *)node; /* its first member */
    struct hrl_thread *thread = thread_of_timeout(node);

    (void)instant;
    if (timeout->state == HRLI_TIMEOUT_NONE) { /* no thread's */
        struct hrli_called_timeout *called = (struct hrli_called_timeout *)timeout;
        called->expire(called);
        return;
    }
    thread->timeout.state = HRLI_TIMEOUT_EXPIRED;
    hrli_make_ready(releaser->ready, thread);
}

/* Takes the node out of the store unless it was served. Context: its thread, dispatch held off. */
static void withdraw(const struct hrli_timeouts *timeouts, struct hrl_thread *self)
{
    if (self->timeout.state == HRLI_TIMEOUT_ARMED) {
        hrli_releaser_walk(timeouts->releaser);
        if (self->timeout.state == HRLI_TIMEOUT_ARMED) { /* still, and nobody serves it now */
            timeouts->remove(&self->timeout.node);
        }
        hrli_releaser_end_walk(timeouts->releaser);
        if (timeouts->releaser->deferred) {
            hrli_releaser_catch_up(timeouts->releaser);
        }
    }
    self->timeout.state = HRLI_TIMEOUT_NONE;
}

/*
 * Waits until the node is served or somebody wakes the thread; neither may have happened while dispatch
 * was held off to put it in. Dispatch is held off again when this returns.
 */
static void wait_for_event(struct hrl_thread *self)
{
    hrlp_irq_state state = hrlp_irq_lock();

    if (self->wait.status == HRLI_WAITING && self->timeout.state == HRLI_TIMEOUT_ARMED) {
        hrli_ready_remove(&hrli_core.ready, &self->waiter.ready);
        hrlp_irq_unlock(state);
        hrlp_cpu_request_switch();
        hrli_core_hold_dispatch();
    } else {
        hrlp_irq_unlock(state);
    }
}

/* Waits until `until` or to be woken. Context: a thread, dispatch held off; it is allowed afterwards. */
static enum hrl_status wait_until(struct hrl_thread *self, hrl_counts until)
{
    const struct hrli_timeouts *timeouts = hrli_core.timeouts;
    hrl_counts reached = hrl_now();
    hrlp_irq_state state;

    HRLI_CHECK(timeouts != NULL, "the system has no releaser for time-outs");
    while (reached < until && self->wait.status == HRLI_WAITING) {
        reached =
            until - reached > HRLI_PERIOD_HOP_COUNTS ? reached + HRLI_PERIOD_HOP_COUNTS : until;
        self->timeout.node.key = (hrl_stamp)reached;
        self->timeout.state = HRLI_TIMEOUT_ARMED;
        if (timeouts->put(&self->timeout.node)) {
            wait_for_event(self);
            withdraw(timeouts, self);
        }
    }
    self->timeout.state = HRLI_TIMEOUT_NONE;
    state = hrlp_irq_lock();
    if (self->wait.status == HRLI_WAITING) {
        if (self->wait.queue != NULL) {
            hrli_wait_queue_remove(self->wait.queue, self);
        }
        self->wait.status = HRL_TIMED_OUT;
    }
    hrlp_irq_unlock(state);
    hrli_core_allow_dispatch(self->waiter.ready.level);
    return (enum hrl_status)self->wait.status;
}

void hrli_wait_enter(struct hrli_wait_queue *queue, hrlp_irq_state state)
{
    struct hrl_thread *self = hrli_core.running;

    HRLI_CHECK(!hrlp_cpu_in_interrupt(), "a call that waits, from an interrupt");
    HRLI_CHECK(state == HRLP_IRQ_UNLOCKED, "a call that waits, with interrupts masked");
    HRLI_CHECK(self != NULL && self->waiter.ready.level != 0, "a call that waits, from no thread");
    (void)state; /* in a build without checks */
    self->wait.status = HRLI_WAITING;
    self->wait.queue = queue;
    if (queue != NULL) {
        hrli_wait_queue_insert(queue, self);
    }
}

enum hrl_status hrli_wait_stay(hrl_counts until, hrlp_irq_state state)
{
    struct hrl_thread *self = hrli_core.running;

    if (until == HRL_FOREVER) {
        hrli_ready_remove(&hrli_core.ready, &self->waiter.ready);
        hrlp_irq_unlock(state);
        hrlp_cpu_request_switch();
        return (enum hrl_status)self->wait.status;
    }
    hrli_core_hold_dispatch();
    hrlp_irq_unlock(state);
    return wait_until(self, until);
}

enum hrl_status hrli_wait(struct hrli_wait_queue *queue, hrl_counts until, hrlp_irq_state state)
{
    if (until == HRL_NO_WAIT) {
        hrlp_irq_unlock(state);
        return HRL_WOULD_WAIT;
    }
    hrli_wait_enter(queue, state);
    return hrli_wait_stay(until, state);
}
