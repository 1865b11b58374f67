/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "wait_queue.h"

/*
 * Only an interrupt that wakes a thread makes the search begin anew. With several cores their threads come in,
 * too, so the lock is held: for as many steps as there are priorities.
 */
struct hrl_thread **hrli_wait_queue_search(struct hrli_wait_queue *queue, hrli_level level,
                                           hrlp_irq_state state)
{
    struct hrli_wait_queue_place place;

    if (HRL_CORES > 1) {
        place = (struct hrli_wait_queue_place){&queue->first, NULL};
        while (hrli_wait_queue_pass(&place, level)) {
        }
        return place.link;
    }
    do {
        hrlp_irq_unlock(state);
        place = (struct hrli_wait_queue_place){&queue->first, NULL};
        while (hrli_wait_queue_pass(&place, level)) {
        }
        state = hrlp_irq_lock();
    } while (!hrli_wait_queue_is_place(&place));
    return place.link;
}

void hrli_wait_queue_remove(struct hrl_thread *thread)
{
    struct hrl_thread **link = thread->wait.link;

    if (link != NULL) {
        hrli_wait_queue_unlink(link, thread);
    } else {
        thread->wait.next->wait.previous = thread->wait.previous;
        thread->wait.previous->wait.next = thread->wait.next;
    }
}
