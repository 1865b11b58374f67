/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SHARED_H
#define HRLI_SHARED_H

#include "hrlp_clock.h"
#include "releaser.h"

/*
 * Shared threads: tasks of one priority, period and offset that never wait run one after the other
 * in one thread, on its stack (ADR 0017).
 *
 * A release of the thread releases all its tasks. The thread runs their bodies in their order, then
 * waits once. Overruns stay each task's own: a task with a job that ended at or after a release, or
 * has not begun by then, has an overrun at that release and gets no job for it; the tasks of the
 * thread that were done in time get theirs, as they would in threads of their own. So an unfinished
 * job is found behind each body, by what tells the wait that it is late; the thread's own wait finds
 * that of the last one. A late thread goes through the releases that have passed one by one.
 */

/* One task of a shared thread. */
struct hrli_shared_task {
    void (*body)(void);
    HRLP_CONST char *name;
};

/* What there is to remember of its jobs. */
struct hrli_shared_jobs {
    hrl_counts ended; /* when its last late job ended; 0: none was late */
    uint32_t overruns;
};

struct hrli_shared {
    struct hrli_periodic_thread *thread;
    /* Which instants have passed: what the releaser has served; NULL: the clock says so. */
    const volatile hrl_stamp *served;
    HRLP_CONST struct hrli_shared_task *tasks;
    struct hrli_shared_jobs *jobs;
    uint32_t count;
};

/*
 * The counts from the release that a shared thread runs for to the next; 0: it is late, or near the
 * end of the clock's low half, and takes hrli_shared_run_slowly. Context: the thread.
 */
static inline __attribute__((always_inline)) uint32_t
hrli_shared_span(const struct hrli_periodic_thread *thread)
{
    uint32_t step = thread->waiter.step;

    if (__builtin_expect(step == 0, 0) && thread->waiter.parts != 0) {
        struct hrli_period period = thread->waiter.period;

        return hrli_period_advance(&period, 0);
    }
    return step;
}

/* Whether the instant `span` counts after `from` has passed. Context: the thread. */
static inline __attribute__((always_inline)) bool
hrli_shared_is_late(HRLP_CONST struct hrli_shared *shared, hrl_stamp from, uint32_t span)
{
    return shared->served != NULL ? *shared->served - from >= span
                                  : hrlp_clock_read() - from > span;
}

/* The job of task number `at` has ended late: runs those behind it. Context: the thread. */
void hrli_shared_end_late(HRLP_CONST struct hrli_shared *shared, uint32_t at);

/* Runs the job of every task that has no overrun at this release. Context: the thread. */
void hrli_shared_run_slowly(HRLP_CONST struct hrli_shared *shared);

#endif
