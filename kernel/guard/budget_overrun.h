/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_BUDGET_OVERRUN_H
#define HRLI_BUDGET_OVERRUN_H

#include <hrl/basic.h>
#include <hrl/hooks.h>

/*
 * The tasks with budgets, and how many budgets each has used up, modulo 2^32. Generated code defines them.
 */
extern const struct hrl_basic *const hrl_gen_budget_tasks[];
extern const uint32_t hrl_gen_budget_task_count;
extern uint32_t hrl_gen_budget_overruns[];

/*
 * The running job of task `number` of hrl_gen_budget_tasks has used up its budget: calls
 * hrl_basic_budget_hook and returns its answer. It is counted where the application asks for the counts
 * (budget_overruns.c); in other systems these take no memory. Context: an interrupt above the task.
 */
enum hrl_budget_action hrli_budget_overrun(uint32_t number);

/* That, and whether the job is to end; it stops the program if the hook says so. Context: the same. */
bool hrli_budget_ends(uint32_t number);

#endif
