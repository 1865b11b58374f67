/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LEVEL_H
#define HRLI_LEVEL_H

#include "wait.h"

/*
 * A thread's level is the highest of its own, of the ceilings of its mutexes, and of the levels of
 * the threads that wait for its mutexes. The mutexes that matter are listed at their owner: those
 * with a ceiling, and those that a thread waits for. Only threads with dispatch held off touch all
 * this, so that it needs no interrupt lock, and may take time in proportion to the mutexes and
 * owners.
 *
 * With several cores these threads hold the lock of services, too, for one thread at a time. A thread's level is changed
 * by its own core only, as that of a thread in the ready queue: others leave word (change_elsewhere.h). So a chain of
 * owners goes from core to core by doorbells, and no core waits for another.
 */

/*
 * Brings the level of `thread` up to date after one of these has changed, then that of the owner
 * that it waits for, and so on. In a queue that is ordered by level a thread goes to the end of its
 * new level, the running thread to the front. Bound: the chain of owners; in a circle of threads
 * that wait for one another until they time out, no more than once for each level. Interrupts are
 * off, for each thread, for passing twice the levels of a wait queue. The caller allows dispatch
 * afterwards. Context: a thread, dispatch held off; with several cores the dispatch, too.
 */
void hrli_level_update(struct hrl_thread *thread);

/*
 * The same for callers that have the lock of services with several cores, and keep it: there it is done in the next
 * dispatch of the thread's core, for which a caller on that core asks. With one core it is done at once. Context: a
 * thread, dispatch held off, behind hrli_threads_keep.
 */
#if HRL_CORES > 1 /* as there is nothing to leave word of on one core */
void hrli_level_update_soon(struct hrl_thread *thread);
#else
static inline void hrli_level_update_soon(struct hrl_thread *thread)
{
    hrli_level_update(thread);
}
#endif

#endif
