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
 */

/*
 * Brings the level of `thread` up to date after one of these has changed, then that of the owner
 * that it waits for, and so on. In a queue that is ordered by level a thread goes to the end of its
 * new level, the running thread to the front. Bound: the chain of owners; in a circle of threads
 * that wait for one another until they time out, no more than once for each level. Interrupts are
 * off, for each thread, for passing twice the levels of a wait queue. The caller allows dispatch
 * afterwards. Context: a thread, dispatch held off.
 */
void hrli_level_update(struct hrl_thread *thread);

#endif
