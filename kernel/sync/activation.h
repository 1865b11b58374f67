/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_ACTIVATION_H
#define HRLI_ACTIVATION_H

#include "dispatch.h"
#include "wait.h"
#include <hrl/semaphore.h>

/*
 * A thread that one cell activates, by the semaphore that it waits for after each job: on a port with handlers
 * that can end with the switch, and threads that leave by themselves (hrlp_cpu.h). In the usual case it
 * waits alone, the cell's interrupt makes it ready, and it preempts what runs. In all other cases the semaphore's
 * own calls do the rest.
 */

/*
 * The thread that the last activation has preempted, and its level: if it is the first of all behind the job, it
 * goes on without a search. It may have ended meanwhile, so the level is kept here. At first NULL, which is the
 * first of no level: a thread is its node, by a cast, as no member of NULL may be formed.
 */
struct hrli_preempted {
    struct hrl_thread *thread;
    hrli_level level;
};

/* The dispatch looks at the stack of a thread that goes, and so does a thread that goes without it. */
static inline void hrli_activation_check_stack(const struct hrl_thread *self)
{
    if (HRL_CHECKS) {
        uint32_t here = 0;

        hrli_stack_check(self, &here);
    }
}

/* Waits for an activation, and takes it. Context: a thread that may wait. */
static inline __attribute__((always_inline)) void
hrli_activation_wait(struct hrl_semaphore *semaphore, struct hrli_preempted *preempted)
{
    struct hrl_thread *self = hrli_core.running;
    struct hrl_thread *next;
    hrli_level level;

    if (!HRLP_CPU_LEAVES) {
        (void)hrl_semaphore_take_forever(semaphore);
        return;
    }
    HRLI_CHECK_MAY_WAIT("hrl_semaphore_take_forever");
    hrlp_irq_mask();
    if (semaphore->count != 0 || semaphore->waiters.first != NULL) {
        hrlp_irq_unmask();
        (void)hrl_semaphore_take_forever(semaphore);
        return;
    }
    self->wait_status = HRLI_WAITING;
    self->wait.queue = &semaphore->waiters;
    hrli_wait_queue_insert(&semaphore->waiters.first, self);
    hrli_ready_remove(&hrli_core.ready, &self->ready);
    next = preempted->thread;
    level = preempted->level;
    if (hrli_ready_is_top(&hrli_core.ready, (const struct hrli_ready_node *)next, level)) {
        hrli_activation_check_stack(self);
        HRLP_PUBLISH(hrli_core.running, next);
        hrli_core.threshold = level;
        hrlp_guard_move(next->stack);
        hrlp_cpu_leave_to(&self->stack_pointer, next->stack_pointer);
    } else {
        hrli_core_lock_dispatch();
        hrlp_irq_unmask();
        (void)hrlp_cpu_leave(NULL); /* finds the next thread */
    }
}

/* `leave` is the dispatch's, `general` the general handler. Context: the cell's handler, as hrlp_cpu.h says. */
static inline __attribute__((always_inline)) struct hrlp_cpu_end
hrli_activation_interrupt(void *interrupted, struct hrl_semaphore *semaphore,
                          struct hrli_preempted *preempted, hrli_dispatch_leave *leave,
                          struct hrlp_cpu_end (*general)(void *interrupted))
{
    struct hrl_thread *thread = semaphore->waiters.first;

    if (thread != NULL && thread->wait.next == thread && thread->wait.lower == NULL &&
        !thread->suspended && thread->ready.priority > hrli_core.threshold &&
        hrli_ready_add_above_all(&hrli_core.ready, &thread->ready)) {
        void *saved = hrlp_cpu_saved(interrupted);

        semaphore->waiters.first = NULL;
        thread->wait_status = HRL_OK;
        preempted->thread = hrli_core.running;
        preempted->level = hrli_core.threshold;
        return hrli_dispatch_end_with(thread, saved, leave);
    }
    return general(interrupted); /* last, so that the usual case needs no stack */
}

#endif
