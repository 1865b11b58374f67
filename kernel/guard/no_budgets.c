/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "budget_overrun.h"

/* Linked where an application asks for overruns and no task has a budget. */
const struct hrl_basic *const hrl_gen_budget_tasks[1];
const uint32_t hrl_gen_budget_task_count = 0;
uint32_t hrl_gen_budget_overruns[1];
