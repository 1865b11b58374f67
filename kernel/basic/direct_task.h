/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_DIRECT_TASK_H
#define HRLI_DIRECT_TASK_H

#include <hrl/basic.h>

/* One task, on a periodic cell that has the task's period: the cell's interrupt is the task. */
struct hrli_direct {
    hrl_stamp *due; /* HRLI_LINE_TABLE_DUE of the task's next release */
    uint32_t period;
    const struct hrl_basic *task;
    void (*forget)(void); /* the cell's interrupt, if one was raised */
};

#endif
