/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_WAIT_QUEUE_H
#define HRLI_WAIT_QUEUE_H

#include "hrlp_irq.h"
#include <hrl/thread.h>
#include <stddef.h>

/*
 * The threads that wait for one object: most urgent first, first come first out within a level.
 *
 * The threads of a level are a ring; the first of each level knows the first of the next lower one,
 * and what points to itself. So everything is O(1), except the search for the place of a thread
 * behind more urgent ones, which is done with interrupts on. The order is that of ready.priority,
 * which does not change while a thread is in. Callers mask interrupts, or nothing else can touch
 * the queue during the call.
 */
enum { HRLI_WAITING = 0x80 }; /* wait_status of the threads in a queue; no enum hrl_status */

/*
 * Where a thread has to come in: `link` leads to the first of a level not above its own. `above` is
 * the thread that has this link, NULL if it is the queue's.
 */
struct hrli_wait_queue_place {
    struct hrl_thread **link;
    struct hrl_thread *above;
};

/*
 * Passes the next level; false: it is not above `level`. Interrupts may be on, dispatch held off,
 * from the first level to the last.
 *
 * Then threads may be taken out in between, and nothing else changes: no other thread runs, so none
 * comes in, no level changes, and the first thread of a level stays the first until it is taken
 * out. So every thread that the search meets was in the queue at the beginning, also behind a
 * thread that has left since, as the fields of that one stay as they were; and levels descend, so
 * that the search ends.
 */
static inline bool hrli_wait_queue_pass(struct hrli_wait_queue_place *place, hrli_level level)
{
    struct hrl_thread *next = *(struct hrl_thread *volatile *)place->link; /* read once */

    if (next == NULL || next->ready.priority <= level) {
        return false;
    }
    place->above = next;
    place->link = &next->wait.lower;
    return true;
}

/*
 * Whether the place that the search has found is still valid: it is, while the last thread above `level` is
 * in the queue. The thread that it linked to was not above `level`; if it links to another thread now, that
 * thread's level is lower still. Context: interrupts masked.
 */
static inline bool hrli_wait_queue_is_place(const struct hrli_wait_queue_place *place)
{
    return place->above == NULL || place->above->wait_status == HRLI_WAITING;
}

/*
 * The place of a thread of `level`. Called locked, unlocks with `state` to search, returns locked:
 * threads may have left the queue. Context: a thread, dispatch held off.
 */
struct hrl_thread **hrli_wait_queue_search(struct hrli_wait_queue *queue, hrli_level level,
                                           hrlp_irq_state state);

/* From now on `link` points to `first`, which may be NULL. */
static inline void hrli_wait_queue_relink(struct hrl_thread *first, struct hrl_thread **link)
{
    if (first != NULL) {
        first->wait.link = link;
    }
}

/*
 * Puts `thread`, which is in no queue, in at its place: before `*link`, or behind the others of its
 * level.
 */
static inline void hrli_wait_queue_insert(struct hrl_thread **link, struct hrl_thread *thread)
{
    struct hrl_thread *first = *link;

    if (first != NULL && first->ready.priority == thread->ready.priority) {
        struct hrl_thread *last = first->wait.previous;
        thread->wait.next = first;
        thread->wait.previous = last;
        thread->wait.link = NULL;
        last->wait.next = thread;
        first->wait.previous = thread;
    } else {
        thread->wait.next = thread;
        thread->wait.previous = thread;
        thread->wait.lower = first;
        thread->wait.link = link;
        hrli_wait_queue_relink(first, &thread->wait.lower);
        *link = thread;
    }
}

/* Takes out `thread`, the first of its level, to which `link` points: the second comes first. */
static inline void hrli_wait_queue_unlink(struct hrl_thread **link, struct hrl_thread *thread)
{
    struct hrl_thread *second = thread->wait.next;
    struct hrl_thread *lower = thread->wait.lower;

    if (second == thread) {
        *link = lower;
        hrli_wait_queue_relink(lower, link);
    } else {
        struct hrl_thread *last = thread->wait.previous;
        second->wait.previous = last;
        last->wait.next = second;
        second->wait.lower = lower;
        second->wait.link = link;
        hrli_wait_queue_relink(lower, &second->wait.lower);
        *link = second;
    }
}

/* Takes out `thread`, which is in a queue. */
void hrli_wait_queue_remove(struct hrl_thread *thread);

/* Takes out the first thread; there is one. */
static inline struct hrl_thread *hrli_wait_queue_pop(struct hrli_wait_queue *queue)
{
    struct hrl_thread *first = queue->first;

    if (HRLI_SMALL) {
        hrli_wait_queue_remove(first);
    } else {
        hrli_wait_queue_unlink(&queue->first, first);
    }
    return first;
}

/* The thread behind `thread`, which is in a queue, or NULL. */
static inline struct hrl_thread *hrli_wait_queue_behind(const struct hrl_thread *thread)
{
    struct hrl_thread *next = thread->wait.next;

    return next->wait.link != NULL ? next->wait.lower : next;
}

#endif
