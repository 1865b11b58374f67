/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_DEADLINES_H
#define HRLI_DEADLINES_H

#include "deadline.h"
#include "deadline_tasks.h"
#include "hrlp_cell.h"
#include "releaser.h"

/*
 * Monitored deadlines become code (deadline.h). The arrays deadline_rows and deadline_jobs are data; the
 * tasks are named by HRLI_DEADLINE_TASKS, in the order of deadline_jobs. At file scope, without a semicolon.
 */
#define HRLI_DEADLINES_DECLARE                                                                     \
    static const struct hrli_deadline deadline_rows[];                                             \
    static struct hrli_deadline_job deadline_jobs[];

/* An element of deadline_rows; `next`, `own_next` and `its_job` are places in the arrays. */
#define HRLI_DEADLINE(gap, own_gap, after, next, own_next, its_job)                                \
    {                                                                                              \
        gap, own_gap, after, &deadline_rows[next], &deadline_rows[own_next],                       \
            &deadline_jobs[its_job]                                                                \
    }

/* An element of deadline_jobs: the first deadline of the task is at `due`, and is row `row`. */
#define HRLI_DEADLINE_JOB(due, row)                                                                \
    {                                                                                              \
        due, &deadline_rows[row]                                                                   \
    }

/*
 * On channel `instance` of `device`, which is armed for at most `reach` counts; the first deadline is at
 * `first`, and is row `row`.
 */
#define HRLI_DEADLINES(device, instance, reach, first, row)                                        \
    static struct hrli_deadline_watch deadline_watch = {first, &deadline_rows[row]};               \
    static void arm_deadline(hrl_stamp due)                                                        \
    {                                                                                              \
        device##_arm(instance, hrli_releaser_hop(due, reach));                                     \
    }                                                                                              \
    static const struct hrli_deadlines deadlines = {deadline_jobs, &deadline_watch, arm_deadline}; \
    static __attribute__((noinline)) void deadline_end(struct hrli_deadline_job *job)              \
    {                                                                                              \
        hrli_deadline_end(job, &deadline_watch, arm_deadline);                                     \
    }

/*
 * hrl_gen_monitored_<task>, the body of a task with monitored deadlines; `job` is its place in
 * deadline_jobs, `body` what it runs.
 */
#define HRLI_MONITORED_TASK(task, job, body)                                                       \
    void hrl_gen_monitored_##task(void);                                                           \
    void hrl_gen_monitored_##task(void)                                                            \
    {                                                                                              \
        body();                                                                                    \
        deadline_end(&deadline_jobs[job]);                                                         \
    }

/* In the handler of the cell, acknowledged. */
#define HRLI_SERVE_DEADLINES hrli_deadline_interrupt(&deadlines);

/* In start-up code, after the clock has started. */
#define HRLI_START_DEADLINES arm_deadline(deadline_watch.due);

#endif
