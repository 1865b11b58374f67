/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "wait.h"
#include <hrl/event.h>

/* What a waiting thread waits for; on its stack, until it goes on. */
struct request {
    uint32_t flags;
    uint32_t mode;
    uint32_t seen; /* the waker writes it */
};

/*
 * A set that looks at the waiting threads one by one, holds dispatch off and lets interrupts in
 * between two of them. Meanwhile no thread enters or leaves the queue: threads do not run, not even
 * one that has timed out, and an interrupt that sets the same event ends this walk first. So `next`
 * stays in the queue, there is one walk at a time, and every set acts as if it were done in one
 * moment: its first. With several cores the lock is held from the first to the last.
 */
struct hrli_event_walk {
    struct hrl_thread *next;
    uint32_t flags; /* as they were when these were set */
    uint32_t clear; /* what the woken threads want to be cleared */
};

static bool holds(uint32_t flags, uint32_t awaited, uint32_t mode)
{
    uint32_t there = flags & awaited;

    return (mode & HRL_EVENT_ALL) != 0 ? there == awaited : there != 0;
}

static uint32_t cleared_by(uint32_t awaited, uint32_t mode)
{
    return (mode & HRL_EVENT_CLEAR) != 0 ? awaited : 0;
}

/* Wakes `thread`, out of the queue already. Returns what it wants to be cleared. */
static inline __attribute__((always_inline)) uint32_t satisfy(struct hrl_thread *thread,
                                                              uint32_t flags)
{
    struct request *request = thread->wait.data;

    request->seen = flags;
    hrli_wake(thread, HRL_OK);
    return cleared_by(request->flags, request->mode);
}

static bool is_satisfied(const struct hrl_thread *thread, uint32_t flags)
{
    const struct request *request = thread->wait.data;

    return holds(flags, request->flags, request->mode);
}

/* Looks at one waiting thread; the last one ends the walk. Context: interrupts masked. */
static void step(struct hrl_event *event)
{
    struct hrli_event_walk *walk = event->walk;
    struct hrl_thread *thread = walk->next;

    walk->next = hrli_wait_queue_behind(thread);
    if (is_satisfied(thread, walk->flags)) {
        hrli_wait_queue_remove(thread);
        walk->clear |= satisfy(thread, walk->flags);
    }
    if (walk->next == NULL) {
        HRLP_SHOW(event->flags, event->flags & ~walk->clear);
        event->walk = NULL;
    }
}

static __attribute__((noinline)) void end_walk(struct hrl_event *event)
{
    while (event->walk != NULL) {
        step(event);
    }
}

/*
 * A walk past all waiting threads, of which there are some. Context: interrupts masked; unlocks.
 * Apart, so that the usual set, with one waiting thread, has no frame to build for it. It leaves
 * dispatch as it is: in an alarm's function, called in a thread's call, that is held off.
 */
static __attribute__((noinline)) void walk_all(struct hrl_event *event, hrlp_irq_state state)
{
    struct hrli_event_walk walk = {event->waiters.first, event->flags, 0};
    hrli_level threshold = hrli_core.threshold;

    event->walk = &walk; /* cppcheck-suppress autoVariables; it is NULL again before this returns */
    hrli_core_lock_dispatch();
    step(event);
    while (event->walk != NULL) { /* an interrupt may end it between the two */
        if (HRL_CORES == 1) {     /* else threads of other cores would enter and leave */
            hrli_sync_unlock(state);
            state = hrli_sync_lock();
        }
        if (event->walk != NULL) {
            step(event);
        }
    }
    hrli_sync_unlock(state);
    hrli_core_allow_dispatch(threshold);
}

void hrl_event_set(struct hrl_event *event, uint32_t flags)
{
    hrlp_irq_state state;
    struct hrl_thread *thread;

    HRLI_CHECK_CALL("hrl_event_set");
    state = hrli_sync_lock();
    if (event->walk != NULL) {
        end_walk(event);
    }
    flags |= event->flags;
    HRLP_SHOW(event->flags, flags);
    thread = event->waiters.first;
    if (thread == NULL) {
        hrli_sync_unlock(state);
        return;
    }
    if (thread->wait.next != thread || thread->wait.lower != NULL) {
        walk_all(event, state);
        return;
    }
    if (!is_satisfied(thread, flags)) {
        hrli_sync_unlock(state);
        return;
    }
    event->waiters.first = NULL; /* it was alone */
    HRLP_SHOW(event->flags, flags & ~satisfy(thread, flags));
    hrli_sync_unlock(state);
    hrli_dispatch_woken(thread);
}

void hrl_event_clear(struct hrl_event *event, uint32_t flags)
{
    hrlp_irq_state state;

    HRLI_CHECK_CALL("hrl_event_clear");
    state = hrli_sync_lock();
    HRLP_SHOW(event->flags, event->flags & ~flags);
    hrli_sync_unlock(state);
}

uint32_t hrl_event_flags(const struct hrl_event *event)
{
    return HRLP_SEE(event->flags);
}

/* Context: in the queue, interrupts masked; unlocks. */
static enum hrl_status wait_with(struct request *request, hrl_counts until, hrlp_irq_state state,
                                 uint32_t *seen)
{
    enum hrl_status status;

    hrli_core.running->wait.data = request;
    status = hrli_wait_stay(until, state);
    if (status == HRL_OK && seen != NULL) {
        *seen = request->seen;
    }
    return status;
}

enum hrl_status hrl_event_wait(struct hrl_event *event, uint32_t flags, uint32_t mode,
                               hrl_counts until, uint32_t *seen)
{
    struct request request = {flags, mode, 0};
    hrlp_irq_state state;

    HRLI_CHECK_WAIT("hrl_event_wait", until);
    HRLI_CHECK(flags != 0, "hrl_event_wait: flags is 0");
    HRLI_CHECK((mode & ~(uint32_t)(HRL_EVENT_ALL | HRL_EVENT_CLEAR)) == 0,
               "hrl_event_wait: unknown mode");
    while (state = hrli_sync_lock(), !holds(event->flags, flags, mode)) {
        if (until == HRL_NO_WAIT) {
            hrli_sync_unlock(state);
            return HRL_WOULD_WAIT;
        }
        hrli_wait_enter(&event->waiters, state);
        if (!holds(event->flags, flags, mode)) {
            return wait_with(&request, until, state, seen);
        }
        hrli_wait_leave(state);
    }
    if (seen != NULL) {
        *seen = event->flags;
    }
    HRLP_SHOW(event->flags, event->flags & ~cleared_by(flags, mode));
    hrli_sync_unlock(state);
    return HRL_OK;
}
