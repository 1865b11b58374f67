/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CHANGE_ELSEWHERE_H
#define HRLI_CHANGE_ELSEWHERE_H

#include "core.h"
#include "woken.h"
#include <stdbool.h>

/*
 * How a core suspends, resumes, or changes the priority of a thread of another core. It writes down what is to be
 * (hrl_thread.suspended, ready.base_priority), puts the thread into a list of the thread's core and rings
 * there. That core brings the thread in line with it at the beginning of its next dispatch: then no thread is
 * in the midst of a service, and threads may leave the ready queue. The doorbell's handler asks for that dispatch, or,
 * if dispatch is held off, what allows it again does. changes.pml is a model of that.
 *
 * The list says only which threads to look at: what was asked for last holds. So a thread is in it once.
 */

/*
 * Has `thread` looked at by its core. If that is this one, the caller asks for the dispatch, or allows it again. Context: the
 * lock of services is held.
 */
void hrli_change_soon(struct hrl_thread *thread);

/* Whether `thread` is another core's, which is asked to look at it then. Context: as before. */
static inline bool hrli_changed_elsewhere(struct hrl_thread *thread)
{
#if HRL_CORES > 1 /* as the only core has all threads */
    if (hrli_is_elsewhere(thread)) {
        hrli_change_soon(thread);
        return true;
    }
#else
    (void)thread;
#endif
    return false;
}

#endif
