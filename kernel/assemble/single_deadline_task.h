/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SINGLE_DEADLINE_TASK_H
#define HRLI_SINGLE_DEADLINE_TASK_H

#include "deadline_tasks.h"
#include "hrlp_cell.h"
#include "releaser.h"
#include "single_deadline.h"

/*
 * Monitored deadlines, of one task at even steps, become code (single_deadline.h); the task is named by
 * HRLI_DEADLINE_TASKS. At file scope, without a semicolon.
 *
 * hrl_gen_monitored_<task>, the body of the task, which runs `body`. The cell is channel `instance` of `device`, which
 * is armed for at most `reach` counts; the first deadline is at `first`.
 */
#define HRLI_SINGLE_DEADLINE(task, device, instance, reach, first, step, after, body)              \
    static hrl_stamp deadline_due = first;                                                         \
    static void arm_deadline(hrl_stamp due)                                                        \
    {                                                                                              \
        device##_arm(instance, hrli_releaser_hop(due, reach));                                     \
    }                                                                                              \
    void hrl_gen_monitored_##task(void);                                                           \
    void hrl_gen_monitored_##task(void)                                                            \
    {                                                                                              \
        body();                                                                                    \
        hrli_single_deadline_end(&deadline_due, step, after, arm_deadline);                        \
    }

/* In the handler of the cell, acknowledged. */
#define HRLI_SERVE_SINGLE_DEADLINE(step)                                                           \
    hrli_single_deadline_interrupt(&deadline_due, step, arm_deadline);

/* In start-up code, after the clock has started. */
#define HRLI_START_SINGLE_DEADLINE arm_deadline(deadline_due);

#endif
