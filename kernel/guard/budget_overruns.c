/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "budget_overrun.h"

/* Linked, with the counts, where an application asks for them. */
enum hrl_budget_action hrli_budget_overrun(uint32_t number)
{
    hrl_gen_budget_overruns[number]++;
    return hrl_basic_budget_hook(hrl_gen_budget_tasks[number]);
}

uint32_t hrl_basic_budget_overruns(const struct hrl_basic *task)
{
    for (uint32_t i = 0; i < hrl_gen_budget_task_count; i++) {
        if (hrl_gen_budget_tasks[i] == task) {
            return hrl_gen_budget_overruns[i];
        }
    }
    return 0;
}
