/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_OWN_BUDGET_H
#define HRLI_OWN_BUDGET_H

#include "budget.h"

/*
 * Execution budgets by a cell of the task's own, which counts only while the handler of the task's line is the
 * most urgent that runs: the hardware stops it for whatever comes in, and lets it go on. The start of a job
 * sets the cell to the budget, and its end does nothing, or for a line of several tasks stops it.
 *
 * Source: SLOTH ON TIME (Hofer et al., RTSS 2012), section IV-C. There software stops and starts the cell at each
 * preemption, by its control cell.
 */
struct hrli_own_budget {
    uint32_t number;     /* of its task, in hrl_gen_budget_tasks */
    void (*start)(void); /* the cell interrupts when the budget has passed */
    void (*again)(void); /* it interrupts as soon as it counts */
    void (*stop)(void);  /* it does not */
};

/*
 * Runs a job, which the hook may end, of a task that shares its line; `body` is the task's. Context: the task.
 */
void hrli_own_budget_run(const struct hrli_own_budget *own, struct hrli_budget_watch *watch,
                         void (*body)(void));

/* Whether a job of that task has begun and not ended. Context: a handler that may have come into it. */
bool hrli_own_budget_is_open(const struct hrli_own_budget *own,
                             const struct hrli_budget_watch *watch);

/*
 * The budget has passed: calls the hook, and does what that answers. Returns as hrli_budget_interrupt: for a job
 * that is to end, `ended`. `is_top` says whether a job of the task is what the handler has interrupted; if not, but
 * one `is_begun`, the cell interrupts again when that goes on. Context: the cell's handler.
 */
void (*hrli_own_budget_interrupt(const struct hrli_own_budget *own, bool is_top, bool is_begun,
                                 void (*ended)(void)))(void);

#endif
