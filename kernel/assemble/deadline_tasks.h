/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_DEADLINE_TASKS_H
#define HRLI_DEADLINE_TASKS_H

#include "deadline_missed.h"

/* The tasks with monitored deadlines: &task, ... At file scope, without a semicolon. */
#define HRLI_DEADLINE_TASKS(...)                                                                   \
    const struct hrl_basic *const hrl_gen_deadline_tasks[] = {__VA_ARGS__};                        \
    const uint32_t hrl_gen_deadline_task_count =                                                   \
        sizeof hrl_gen_deadline_tasks / sizeof hrl_gen_deadline_tasks[0];                          \
    uint32_t                                                                                       \
        hrl_gen_deadline_misses[sizeof hrl_gen_deadline_tasks / sizeof hrl_gen_deadline_tasks[0]];

#endif
