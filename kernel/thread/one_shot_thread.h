/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_ONE_SHOT_THREAD_H
#define HRLI_ONE_SHOT_THREAD_H

#include "dispatch.h"
#include "hrlp_clock.h"
#include "one_shot.h"

/*
 * The handler of a one-shot cell over a delay queue, on a port with handlers that can switch where they
 * end (HRLP_CPU_SWITCHES_AT_END): in the usual case one thread is due, and the next one later. This path
 * has no loop. Whatever else it finds it leaves to the general handler, which looks at everything anew.
 */

/*
 * Goes from what was interrupted, a thread, to the first thread of `level`, the highest that is ready, if that
 * is above the threshold: returns hrlp_cpu_go(), else hrlp_cpu_stay(). The level of the thread that the
 * handler has released would not do: the interrupted thread may have made a more urgent one ready, and not
 * have asked for the switch yet. An interrupt that makes a more urgent thread ready after
 * `level` was read asks for another switch. Context: the end of a handler that interrupted a thread.
 */
static inline __attribute__((always_inline)) hrlp_cpu_at_end
hrli_one_shot_thread_switch(hrli_level level, hrli_dispatch_leave *leave)
{
    struct hrl_thread *self = hrli_core.running; /* with the next one load, if there is such */
    hrli_level threshold = hrli_core.threshold;
    struct hrl_thread *next;
    void *saved;

    if (__builtin_expect(level <= threshold, 0)) {
        return hrlp_cpu_stay();
    }
    saved = hrlp_cpu_saved_at_end();
    hrli_stack_check(self, saved);
    leave(self);
    next = hrli_thread_of(hrli_ready_first_of(&hrli_core.ready, level));
    self->stack_pointer = saved;
    HRLP_PUBLISH(hrli_core.running, next);
    hrli_core.threshold = level;
    hrlp_guard_move(next->stack);
    return hrlp_cpu_go(saved, next->stack_pointer); /* behind the store: it may be the same */
}

/*
 * The cell's interrupt, acknowledged; `leave` is the dispatch's, `general` the general handler. Returns
 * as hrli_one_shot_thread_switch. Context: the cell's handler, which interrupted a thread.
 */
static inline __attribute__((always_inline)) hrlp_cpu_at_end
hrli_one_shot_thread_interrupt(struct hrli_one_shot *releaser, void *queue,
                               const struct hrli_store *store,
                               const struct hrli_one_shot_cell *cell, hrli_dispatch_leave *leave,
                               hrlp_cpu_at_end (*general)(void))
{
    struct hrli_releaser *base = &releaser->base;
    struct hrli_queue_node *first;
    struct hrli_waiter *waiter;
    hrl_stamp now, instant;
    hrli_level level;

    if (base->busy) {
        return general();
    }
    now = hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS;
    first = store->first(queue);
    if (first == NULL || hrli_stamp_branch_after(first->key, now)) {
        return general();
    }
    waiter = (struct hrli_waiter *)first;
    instant = first->key;
    hrli_releaser_mark_served(base, instant);
    store->pop(queue, first);
    first = store->first(queue);
    hrli_releaser_note_release(waiter, instant);
    hrli_releaser_lock();
    hrli_ready_add(&hrli_core.ready, hrli_waiter_ready(waiter));
    level = hrli_ready_top(&hrli_core.ready);
    if (first == NULL || !hrli_stamp_branch_after(first->key, now)) {
        hrli_releaser_unlock();
        return general();
    }
    hrli_one_shot_arm(releaser, &first->key, cell);
    hrli_releaser_unlock();
    return hrli_one_shot_thread_switch(level, leave);
}

#endif
