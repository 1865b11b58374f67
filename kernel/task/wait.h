/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_WAIT_H
#define HRLI_WAIT_H

#include "core.h"
#include "wait_queue.h"

/*
 * How threads wait: for something in an object's wait queue, for an instant, or for either.
 *
 * A waiting thread has status HRLI_WAITING until somebody gives it what it waits for (hrli_wake) or it
 * finds itself that the instant has passed. Whoever gives never touches the store of time-outs, so
 * that giving is O(1) also from an interrupt: the thread takes its node out itself, once it runs, with
 * interrupts on. And the releaser of time-outs does no more than make it run. So until then a thread whose
 * time is over stays in the object's queue, and may still be given what it waits for.
 *
 * Instants further ahead than a stamp can tell are reached in hops, on which the thread runs for a moment
 * and keeps its place in the object's queue.
 */
enum { HRLI_WAITING = 0x80 }; /* no enum hrl_status */

/* hrl_thread.timeout.state */
enum hrli_timeout_state {
    HRLI_TIMEOUT_NONE, /* it is not in the store; or it is a hrli_called_timeout's, which has no other */
    HRLI_TIMEOUT_ARMED,  /* the node is in the store; the thread puts it there */
    HRLI_TIMEOUT_EXPIRED /* it was served, and the thread has not seen it; the releaser sets this */
};

/* hrli_store.release for the store of time-outs. */
void hrli_timeout_release(struct hrli_releaser *releaser, struct hrli_queue_node *node,
                          hrl_stamp instant);

/*
 * Waits in `queue`, or with NULL for the instant alone. `state` is what hrlp_irq_lock returned to the
 * caller, who has found, under that lock, that there is nothing to take. Returns unlocked, with the
 * waker's status, HRL_WOULD_WAIT or HRL_TIMED_OUT. Context: a thread; with HRL_NO_WAIT any. Interrupts are off
 * for an insertion into the wait queue, then for some constant times.
 */
enum hrl_status hrli_wait(struct hrli_wait_queue *queue, hrl_counts until, hrlp_irq_state state);

/*
 * The two halves of hrli_wait, for those who have to do something between them, dispatch held off: enter
 * the queue, then wait there. `state` as in hrli_wait, unlocked by the second. `until` is not HRL_NO_WAIT.
 */
void hrli_wait_enter(struct hrli_wait_queue *queue, hrlp_irq_state state);
enum hrl_status hrli_wait_stay(hrl_counts until, hrlp_irq_state state);

/* Makes `thread` ready, unless it is already or is suspended. Context: interrupts masked. */
static inline void hrli_make_ready(struct hrli_ready_set *ready, struct hrl_thread *thread)
{
    if (!thread->suspended && !hrli_ready_contains(&thread->waiter.ready)) {
        hrli_ready_add(ready, &thread->waiter.ready);
    }
}

/*
 * Ends the wait of `thread`, taken out of its queue already. The caller unlocks, then calls
 * hrli_core_dispatch_above with its level. Context: interrupts masked.
 */
static inline void hrli_wake(struct hrl_thread *thread, enum hrl_status status)
{
    thread->wait.status = status;
    hrli_make_ready(&hrli_core.ready, thread);
}

#endif
