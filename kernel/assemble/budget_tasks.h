/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_BUDGET_TASKS_H
#define HRLI_BUDGET_TASKS_H

#include "budget_overrun.h"

/* The tasks with budgets: &task, ... At file scope, without a semicolon. */
#define HRLI_BUDGET_TASKS(...)                                                                     \
    const struct hrl_basic *const hrl_gen_budget_tasks[] = {__VA_ARGS__};                          \
    const uint32_t hrl_gen_budget_task_count =                                                     \
        sizeof hrl_gen_budget_tasks / sizeof hrl_gen_budget_tasks[0];                              \
    uint32_t hrl_gen_budget_overruns[sizeof hrl_gen_budget_tasks / sizeof hrl_gen_budget_tasks[0]];

#endif
