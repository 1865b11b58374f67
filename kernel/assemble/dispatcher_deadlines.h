/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_DISPATCHER_DEADLINES_H
#define HRLI_DISPATCHER_DEADLINES_H

#include "deadline_tasks.h"
#include "dispatcher.h"
#include "hrlp_cell.h"
#include "moving_deadlines.h"
#include "releaser.h"

/*
 * Monitored deadlines of a dispatcher's modes become code (moving_deadlines.h). Of mode number `m` the arrays
 * deadline_rows_<m> and deadline_jobs_<m> are data. At file scope, without a semicolon.
 */
#define HRLI_MOVING_ROWS_DECLARE(m)                                                                \
    static const struct hrli_deadline deadline_rows_##m[];                                         \
    static struct hrli_deadline_job deadline_jobs_##m[];

/* As HRLI_DEADLINE and HRLI_DEADLINE_JOB (deadlines.h), of mode `m`; `due` counts from the begin of a round. */
#define HRLI_MOVING_DEADLINE(m, gap, own_gap, after, next, own_next, its_job)                      \
    {                                                                                              \
        gap, own_gap, after, &deadline_rows_##m[next], &deadline_rows_##m[own_next],               \
            &deadline_jobs_##m[its_job]                                                            \
    }
#define HRLI_MOVING_JOB(m, due, row)                                                               \
    {                                                                                              \
        due, &deadline_rows_##m[row]                                                               \
    }
#define HRLI_NO_MOVING_JOB(m)                                                                      \
    {                                                                                              \
        0u, NULL                                                                                   \
    }

/* deadlines_<m>; the first deadline of a round is `first` counts after its begin, and is row `row`. */
#define HRLI_MOVING_DEADLINES(m, first, row)                                                       \
    static struct hrli_moving_deadlines deadlines_##m = {                                          \
        {first, &deadline_rows_##m[row]}, deadline_jobs_##m, 0u, 0u};

/* On channel `instance` of `device`, which is armed for at most `reach` counts. */
#define HRLI_DEADLINE_MOVER(device, instance, reach)                                               \
    static void arm_deadline(hrl_stamp due)                                                        \
    {                                                                                              \
        device##_arm(instance, hrli_releaser_hop(due, reach));                                     \
    }                                                                                              \
    static void disarm_deadline(void)                                                              \
    {                                                                                              \
        device##_disarm(instance);                                                                 \
    }                                                                                              \
    static struct hrli_deadline_mover deadline_mover = {NULL, arm_deadline, disarm_deadline};      \
    static void begin_deadlines(void *of_mode, hrl_stamp begin)                                    \
    {                                                                                              \
        hrli_moving_deadlines_begin(&deadline_mover, of_mode, begin);                              \
    }                                                                                              \
    static bool deadlines_are_open(hrl_stamp end)                                                  \
    {                                                                                              \
        return hrli_moving_deadlines_are_open(&deadline_mover, end);                               \
    }                                                                                              \
    static void end_deadlines(hrl_stamp end)                                                       \
    {                                                                                              \
        hrli_moving_deadlines_end(&deadline_mover, end);                                           \
    }                                                                                              \
    static void shift_deadlines(hrl_stamp by)                                                      \
    {                                                                                              \
        hrli_moving_deadlines_shift(&deadline_mover, by);                                          \
    }                                                                                              \
    static const struct hrli_dispatcher_deadlines dispatcher_deadlines = {                         \
        begin_deadlines, deadlines_are_open, end_deadlines, shift_deadlines};

/* hrl_gen_monitored_<task>, the body of a task with monitored deadlines. */
#define HRLI_MOVING_TASK(task, number, body)                                                       \
    void hrl_gen_monitored_##task(void);                                                           \
    void hrl_gen_monitored_##task(void)                                                            \
    {                                                                                              \
        body();                                                                                    \
        hrli_moving_deadlines_job_end(&deadline_mover, number);                                    \
    }

/* In the handler of the cell, acknowledged. The dispatcher arms it. */
#define HRLI_SERVE_MOVING_DEADLINES hrli_moving_deadlines_interrupt(&deadline_mover);

#endif
