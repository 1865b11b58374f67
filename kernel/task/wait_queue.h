/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_WAIT_QUEUE_H
#define HRLI_WAIT_QUEUE_H

#include <hrl/thread.h>
#include <stddef.h>

/*
 * The threads that wait for one object: most urgent first, first come first out within a level.
 *
 * The threads of a level are a ring; the first of each level knows the first of the next lower one.
 * So an insertion or removal passes at most HRL_LEVELS - 2 levels, however many threads wait, and
 * taking out the first is O(1). The order is that of waiter.ready.level, which does not change
 * while a thread is in. Callers mask interrupts, or are the only ones who can touch the queue.
 */

/* The link to the first thread of a level not above `level`: behind at most 31 others. */
static inline struct hrl_thread **hrli_wait_queue_find(struct hrli_wait_queue *queue,
                                                       uint32_t level)
{
    struct hrl_thread **link = &queue->first;

    while (*link != NULL && (*link)->waiter.ready.level > level) {
        link = &(*link)->wait.lower;
    }
    return link;
}

/* Puts `thread`, which is in no queue, behind all that are not less urgent. */
static inline void hrli_wait_queue_insert(struct hrli_wait_queue *queue, struct hrl_thread *thread)
{
    uint32_t level = thread->waiter.ready.level;
    struct hrl_thread **link = hrli_wait_queue_find(queue, level);
    struct hrl_thread *first = *link;

    if (first != NULL && first->waiter.ready.level == level) {
        struct hrl_thread *last = first->wait.previous;
        thread->wait.next = first;
        thread->wait.previous = last;
        last->wait.next = thread;
        first->wait.previous = thread;
    } else {
        thread->wait.next = thread;
        thread->wait.previous = thread;
        thread->wait.lower = first;
        *link = thread;
    }
}

/* Takes out `thread`, the first of its level, to which `link` points: the second comes first. */
static inline void hrli_wait_queue_unlink(struct hrl_thread **link, struct hrl_thread *thread)
{
    struct hrl_thread *second = thread->wait.next;

    if (second == thread) {
        *link = thread->wait.lower;
    } else {
        struct hrl_thread *last = thread->wait.previous;
        second->wait.previous = last;
        last->wait.next = second;
        second->wait.lower = thread->wait.lower;
        *link = second;
    }
}

/* Takes out the first, which there is. */
static inline struct hrl_thread *hrli_wait_queue_pop(struct hrli_wait_queue *queue)
{
    struct hrl_thread *first = queue->first;

    hrli_wait_queue_unlink(&queue->first, first);
    return first;
}

/* Takes out `thread`, which is in. */
static inline void hrli_wait_queue_remove(struct hrli_wait_queue *queue, struct hrl_thread *thread)
{
    struct hrl_thread **link = hrli_wait_queue_find(queue, thread->waiter.ready.level);

    if (*link == thread) {
        hrli_wait_queue_unlink(link, thread);
    } else {
        thread->wait.next->wait.previous = thread->wait.previous;
        thread->wait.previous->wait.next = thread->wait.next;
    }
}

/* Who comes behind `thread`, which is in, or NULL. Passes as many levels at most. */
static inline struct hrl_thread *hrli_wait_queue_behind(const struct hrli_wait_queue *queue,
                                                        const struct hrl_thread *thread)
{
    struct hrl_thread *first = queue->first; /* of its level, in the end */

    while (first->waiter.ready.level > thread->waiter.ready.level) {
        first = first->wait.lower;
    }
    return thread->wait.next == first ? first->wait.lower : thread->wait.next;
}

#endif
