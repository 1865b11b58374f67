/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_WAIT_H
#define HRLI_WAIT_H

#include "context.h"
#include "core.h"
#include "global.h"
#include "releaser.h"
#include "sync_lock.h"
#include "wait_queue.h"
#include "woken.h"

/*
 * How threads wait: for something in an object's wait queue, for an instant, or for either.
 *
 * A waiting thread has status HRLI_WAITING until a waker gives it what it waits for (hrli_wake) or
 * the thread finds that the instant has passed. A waker never touches the store of time-outs, so
 * that waking is O(1) also from an interrupt: the thread takes its node out itself, once it runs,
 * with interrupts on. And the releaser of time-outs only makes the thread run. So until it runs, a
 * thread that has timed out stays in the object's queue, and may still be given what it waits for.
 *
 * Instants further ahead than a stamp can tell are reached in hops, on which the thread runs for a
 * moment and keeps its place in the object's queue.
 */
/* hrl_thread.timeout_state */
enum hrli_timeout_state {
    HRLI_TIMEOUT_NONE,  /* it is not in the store; or a hrli_called_timeout's, which has no other */
    HRLI_TIMEOUT_ARMED, /* the node is in the store; the thread puts it there */
    HRLI_TIMEOUT_EXPIRED, /* it was served, and the thread has not seen it; the releaser sets this */
    HRLI_TIMEOUT_SHORT =
        4 /* and more: an alarm's (sync/short_alarm.h), where the port shortens alarms */
};

/*
 * Waits in `queue`, for something that interrupts do not give. `state` is what hrlp_irq_lock
 * returned to the caller, which has found, under that lock, that there is nothing to take. Returns
 * unlocked, with the waker's status, HRL_WOULD_WAIT or HRL_TIMED_OUT. Context: a thread; with
 * HRL_NO_WAIT any. Interrupts are off for constant times only.
 */
enum hrl_status hrli_wait(struct hrli_wait_queue *queue, hrl_counts until, hrlp_irq_state state);

/*
 * The two halves of hrli_wait, for callers that have to do something between them: enter the queue,
 * then wait there. `state` as in hrli_wait, unlocked by the second. `until` is not HRL_NO_WAIT.
 *
 * If a more urgent thread waits already, the first half lets interrupts in before it enters,
 * dispatch held off from then on. These may have given something to all other waiting threads, and
 * left something over. So a caller that waits for something that interrupts give looks again when
 * it has entered, still locked; if there is something to take, it leaves instead of waiting.
 */
void hrli_wait_enter(struct hrli_wait_queue *queue, hrlp_irq_state state);
enum hrl_status hrli_wait_stay(hrl_counts until, hrlp_irq_state state);

/* hrli_wait_stay for HRL_FOREVER: an image in which no call has an instant comes without what these need. */
enum hrl_status hrli_wait_forever(hrlp_irq_state state);

/*
 * Instead of the second half: leaves the queue and unlocks. More urgent threads that were woken
 * since the first half run before this returns, and may have taken what there was.
 */
void hrli_wait_leave(hrlp_irq_state state);

/*
 * Waits until `self` is woken, or the instant `key` is served, at most HRLI_PERIOD_HOP_COUNTS
 * ahead. The node may still be in the store afterwards. `state` as in hrli_wait; unlocks. Context:
 * thread `self`, dispatch held off since the clock was read for `key`; it is allowed afterwards.
 */
void hrli_wait_for_key(struct hrl_thread *self, hrl_stamp key, hrlp_irq_state state);

/* hrli_make_ready out of line. */
void hrli_wait_end(struct hrl_thread *thread);

/*
 * Makes `thread`, which has been started, ready, unless it is already or is suspended. Context:
 * interrupts masked.
 */
static inline void hrli_make_ready(struct hrli_ready_queue *ready, struct hrl_thread *thread)
{
    if (HRLI_SMALL) {
        hrli_wait_end(thread);
    } else if (!HRLP_SEE(thread->suspended) && !hrli_ready_is_in(ready, &thread->ready)) {
        hrli_ready_add(ready, &thread->ready);
    }
}

/*
 * hrli_store.release for the store of time-outs, which holds nodes of threads, and a few others.
 * Inline, as it is most of the handler's work. Context: the store's owner; locks, as interrupts may
 * be on.
 */
_Static_assert(offsetof(struct hrl_thread, timeout_state) - offsetof(struct hrl_thread, timeout) ==
                   offsetof(struct hrli_called_timeout, state),
               "one test tells the nodes of threads from others");
static inline void hrli_timeout_release(struct hrli_releaser *releaser,
                                        struct hrli_queue_node *node, hrl_stamp instant)
{
    struct hrl_thread *thread =
        (struct hrl_thread *)((char *)node - offsetof(struct hrl_thread, timeout));
    struct hrli_called_timeout *called = (struct hrli_called_timeout *)node;
    hrlp_irq_state state;

    (void)releaser; /* one core today */
    (void)instant;
    if (called->state == HRLI_TIMEOUT_NONE || /* no thread's */
        (HRLP_CPU_SHORTENS_ALARMS && called->state >= HRLI_TIMEOUT_SHORT)) {
        called->expire(called);
        return;
    }
    state = hrlp_irq_lock();
    HRLP_SHOW(thread->timeout_state, HRLI_TIMEOUT_EXPIRED);
    hrli_make_ready(&hrli_core.ready, thread);
    hrlp_irq_unlock(state);
}

/*
 * Ends the wait of `thread`, taken out of its queue already. The caller unlocks, then calls
 * hrli_dispatch_woken. Context: the lock of services is held.
 */
static inline void hrli_wake(struct hrl_thread *thread, enum hrl_status status)
{
    HRLP_SHOW(thread->wait_status, (uint8_t)status);
    if (HRL_GLOBAL_THREADS && hrli_is_global(thread)) {
        hrli_global_wake(thread);
    } else if (HRL_CORES > 1 && hrli_is_elsewhere(thread)) {
        hrli_wake_elsewhere(thread);
    } else {
        hrli_make_ready(&hrli_core.ready, thread);
    }
}

/* After `thread` was woken, unlocked: it runs now, if it is more urgent and of this core. Context: any. */
static inline void hrli_dispatch_woken(const struct hrl_thread *thread)
{
    if (HRL_CORES == 1 || (!hrli_is_global(thread) && !hrli_is_elsewhere(thread))) {
        hrli_core_dispatch_above(thread->ready.priority);
    }
}

#endif
