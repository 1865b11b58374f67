/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_GLOBAL_H
#define HRLI_GLOBAL_H

#include "check.h"
#include "core.h"
#include "hrlp_irq.h"

/*
 * Threads that several cores may run (HRL_GLOBAL_THREADS, ADR 0029). While one runs it is in the ready queue of its
 * core, so that all that a running thread calls finds it there. A ready one that no core runs is in a set of its own,
 * which lies in the memory of core 0 and belongs to the holder of the lock of services. Each dispatch looks there: it
 * takes the most urgent thread that its core may run, if that is above all of the core's own, and puts the one that it
 * takes the core from back before its equals. A thread has left its core when all of it is on its stack; until then no
 * other core takes it (hrl_thread.on).
 *
 * A thread that comes into the set claims the least urgent core of its affinity, if that runs something below it: that core is
 * rung, and looks. What it runs is then said to be as urgent as the thread, so that the next thread claims another one. A claim
 * that a more urgent thread takes over, or that is not fulfilled as something else has come up, is made anew elsewhere. So a thread
 * in the set has a core that is about to look, or none of its cores runs anything less urgent. global.pml is a model of that.
 *
 * Its time-out is in the store of the core on which it began to wait. If it runs again before that, perhaps elsewhere, no core takes the
 * time-out out: at its instant it is found to be no longer awaited. For this a thread has a time-out for each core.
 */

/* Whether several cores may run `thread`. Context: any. */
static inline bool hrli_is_global(const struct hrl_thread *thread)
{
#if HRL_GLOBAL_THREADS /* as threads have no such field otherwise */
    return thread->affinity != 0;
#else
    (void)thread;
    return false;
#endif
}

/* Stops if several cores may run `thread`. `call` as in context.h. */
#define HRLI_CHECK_OF_ONE_CORE(call, thread)                                                       \
    HRLI_CHECK(!hrli_is_global(thread), call ": for threads of one core")

/* Whether a core runs `thread`, which is global, or has not left its stack. Context: the lock of services is held. */
static inline bool hrli_global_is_on(const struct hrl_thread *thread)
{
#if HRL_GLOBAL_THREADS /* as above */
    return thread->on != 0;
#else
    (void)thread;
    return false;
#endif
}

/* Whether `thread`, which is global, is ready, and runs on no core. Context: as above. */
static inline bool hrli_global_is_offered(const struct hrl_thread *thread)
{
#if HRL_GLOBAL_THREADS /* as above */
    return thread->is_offered;
#else
    (void)thread;
    return false;
#endif
}

/* `self` has left the ready queue of its core. Context: that core; the lock of services is held. */
static inline void hrli_global_leaves(struct hrl_thread *self)
{
#if HRL_GLOBAL_THREADS /* as above */
    self->is_kept = false;
#else
    (void)self;
#endif
}

/* The first dispatch of this core looks at the set, which core 0 makes empty, unless that is done. Context: start-up. */
#if HRL_GLOBAL_THREADS /* as the file behind this has it only then */
void hrli_global_start(void);
#else
static inline void hrli_global_start(void) {}
#endif

/* Readies `thread` for hrli_global_wake. Context: a thread, start-up. */
void hrli_global_prepare(struct hrl_thread *thread);

/*
 * Makes `thread` ready, unless it is. Cost: in proportion to the cores. Context: the lock of services is held.
 */
void hrli_global_wake(struct hrl_thread *thread);

/* As the waits of wait.h: `state` is that of the lock of services, which is unlocked. Context: thread `self`, dispatch held off. */
void hrli_global_wait(struct hrl_thread *self, hrl_stamp key, hrlp_irq_state state);
void hrli_global_sleep(struct hrl_thread *self, hrl_stamp key);

/* Takes out what is left of an earlier wait on this core. Context: thread `self`, dispatch held off, interrupts on. */
void hrli_global_forget(struct hrl_thread *self);

/*
 * The thread that this core runs from now on (hrli_core.running). `gives_way`: the one that it has run lets its equals go first.
 * Cost: in proportion to the cores, and to the threads of the set that are more urgent than all of this core and may not run here.
 * Context: the dispatch; all of the running thread is on its stack.
 */
struct hrl_thread *hrli_global_choose(bool gives_way);

#endif
