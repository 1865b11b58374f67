/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_DEADLINE_H
#define HRLI_DEADLINE_H

#include "hrlp_cell.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "stamp.h"
#include <hrl/basic.h>
#include <hrl/types.h>

/*
 * Deadline monitoring of a dispatcher table: one one-shot cell for all deadlines of the table.
 *
 * The cell is armed for the earliest deadline of a job that has not ended. The end of that job moves the
 * cell to the next such deadline; so a deadline that holds causes no interrupt. If the cell interrupts,
 * a job has not ended in time.
 *
 * Source: SLOTH ON TIME (Hofer et al., RTSS 2012), section IV-B, and the multiplexing of section IV-F,
 * here for all tasks of a table together.
 */

/*
 * A deadline in the round; constants, ordered by their instants in the round. An instant is that at which
 * the cell is to interrupt; so with non-stringent monitoring it is the point, or the end of the round,
 * that follows the deadline. All distances are in counts, below 2^30.
 */
struct hrli_deadline {
    uint32_t gap;                     /* to `next` */
    uint32_t own_gap;                 /* to `own_next` */
    uint32_t after;                   /* from the point at which the job is released */
    const struct hrli_deadline *next; /* in the order of the round; behind the last, the first */
    const struct hrli_deadline *own_next; /* of the same task */
    struct hrli_deadline_job *job;        /* of its task */
};

/* What changes of a task: the deadline of its job that has not ended, or else of its next one. */
struct hrli_deadline_job {
    hrl_stamp due;
    const struct hrli_deadline *at;
};

/* The deadline for which the cell is armed: the earliest `due` of all jobs. */
struct hrli_deadline_watch {
    hrl_stamp due;
    const struct hrli_deadline *at;
};

/* All monitored deadlines of the system, where one cell monitors them. */
struct hrli_deadlines {
    struct hrli_deadline_job *jobs; /* in the order of hrl_gen_deadline_tasks */
    struct hrli_deadline_watch *watch;
    void (*arm)(
        hrl_stamp due); /* the cell, or for a hop towards `due`; context: as hrlp_cell_arm */
};

/* The job's deadline is the next one of its task. */
static inline void hrli_deadline_move_on(struct hrli_deadline_job *job,
                                         const struct hrli_deadline *deadline)
{
    job->due += deadline->own_gap;
    job->at = deadline->own_next;
}

/*
 * Steps to the next deadline of a job that has not ended. There is one in any two rounds, as each job's `due`
 * is an instant of its own deadlines and less than two rounds ahead.
 */
static inline void hrli_deadline_watch_next(struct hrli_deadline_watch *watch)
{
    const struct hrli_deadline *at = watch->at;
    hrl_stamp due = watch->due;

    do {
        due += at->gap;
        at = at->next;
    } while (at->job->due != due);
    watch->due = due;
    watch->at = at;
}

/*
 * A job has ended. It is the job of the last point that has passed, unless the deadline of that has
 * passed, too. `arm` is that of hrli_deadlines; instants are counts after `origin`. Context: the task, its
 * body done. Cost: constant, and steps over deadlines of jobs that ended out of order, each of which is
 * stepped over once.
 */
static inline __attribute__((always_inline)) void
hrli_deadline_end_from(hrl_stamp origin, struct hrli_deadline_job *job,
                       struct hrli_deadline_watch *watch, void (*arm)(hrl_stamp due))
{
    hrlp_irq_state state = hrlp_irq_lock();
    const struct hrli_deadline *deadline = job->at;
    hrl_stamp point = origin + job->due - deadline->after;

    if (!hrli_stamp_after(point, hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS)) {
        hrli_deadline_move_on(job, deadline);
        if (deadline == watch->at) {
            hrli_deadline_watch_next(watch);
            arm(origin + watch->due);
        }
    }
    hrlp_irq_unlock(state);
}

/* hrli_deadline_end_from where instants are stamps. */
static inline __attribute__((always_inline)) void
hrli_deadline_end(struct hrli_deadline_job *job, struct hrli_deadline_watch *watch,
                  void (*arm)(hrl_stamp due))
{
    hrli_deadline_end_from(0, job, watch, arm);
}

/*
 * Tells of the deadlines that have passed (deadline_missed.h), and arms the cell for the next. Context: the
 * cell's handler, acknowledged, above all tasks of the table.
 */
void hrli_deadline_interrupt(const struct hrli_deadlines *all);

#endif
