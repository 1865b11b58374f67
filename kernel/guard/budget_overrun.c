/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "budget_overrun.h"
#include "hrlp_cpu.h"

/* Without this hook a budget that is used up stops the program. */
__attribute__((weak)) enum hrl_budget_action hrl_basic_budget_hook(const struct hrl_basic *task)
{
    (void)task;
    HRLP_CPU_STOP("an execution budget is used up, and there is no hrl_basic_budget_hook", __FILE__,
                  __LINE__);
}

/* budget_overruns.c has one that counts, too. */
__attribute__((weak)) enum hrl_budget_action hrli_budget_overrun(uint32_t number)
{
    return hrl_basic_budget_hook(hrl_gen_budget_tasks[number]);
}

bool hrli_budget_ends(uint32_t number)
{
    switch (hrli_budget_overrun(number)) {
    case HRL_BUDGET_CONTINUE:
        return false;
    case HRL_BUDGET_END:
        return true;
    default:
        HRLP_CPU_STOP("an execution budget is used up, and its hook stops the program", __FILE__,
                      __LINE__);
    }
}
