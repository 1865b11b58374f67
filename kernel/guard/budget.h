/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_BUDGET_H
#define HRLI_BUDGET_H

#include "budget_overrun.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include <hrl/basic.h>
#include <hrl/resource.h>
#include <hrl/types.h>
#include <stddef.h>

/*
 * Execution budgets of basic tasks: one one-shot cell for all budgets of the system.
 *
 * The cell is armed while a job with a budget runs, for the instant at which its budget is used up. What comes
 * into the job stops that: handlers save what is left of the budget at their beginning (hrli_budget_pause), and
 * restore it at their end. So only the job's own execution is charged, and a budget that holds causes no
 * interrupt. Where threads serve the lines, the bodies of all basic tasks do the same as handlers.
 *
 * Source: SLOTH ON TIME (Hofer et al., RTSS 2012), section IV-C, and the multiplexing of section IV-F.
 */

/* A job with a budget, on its stack while it runs. */
struct hrli_budget_job {
    void *place[5]; /* where it began; the compiler's */
    hrl_stamp
        due; /* when its budget is used up; while it is not charged, the counts that are left */
    uint32_t number;               /* of its task, in hrl_gen_budget_tasks */
    uint32_t counts;               /* its budget, below 2^30 */
    uint32_t ceiling;              /* when it began */
    struct hrl_resource *held;     /* likewise; with checks only */
    struct hrli_budget_job *outer; /* that it came into */
};

/* What changes. */
struct hrli_budget_watch {
    struct hrli_budget_job *volatile innermost; /* of the jobs that have begun and not ended */
    struct hrli_budget_job *volatile charged;   /* the one that runs; NULL: the cell is not armed */
};

/* All budgets of the system. */
struct hrli_budgets {
    struct hrli_budget_watch *watch;
    void (*arm)(hrl_stamp due); /* the cell; context: as hrlp_cell_arm */
    void (*disarm)(void);
};

/* Context: interrupts masked. */
static inline void hrli_budget_charge(const struct hrli_budgets *all, struct hrli_budget_job *job)
{
    job->due += hrlp_clock_read();
    all->watch->charged = job;
    all->arm(job->due);
}

/*
 * Something else than the job that is charged begins to run; returns that job, or NULL, for hrli_budget_resume.
 * `all` is a constant. Context: the first and the last that a handler does, interrupts as they are; or the task,
 * on a thread.
 */
static inline struct hrli_budget_job *hrli_budget_pause(const struct hrli_budgets *all)
{
    struct hrli_budget_job *job = all->watch->charged;

    if (job != NULL) {
        hrlp_irq_state state = hrlp_irq_lock();

        job->due -= hrlp_clock_read();
        all->watch->charged = NULL;
        all->disarm();
        hrlp_irq_unlock(state);
    }
    return job;
}

/* A budget that was used up before the pause interrupts at once. */
static inline void hrli_budget_resume(const struct hrli_budgets *all, struct hrli_budget_job *job)
{
    if (job != NULL) {
        hrlp_irq_state state = hrlp_irq_lock();

        hrli_budget_charge(all, job);
        hrlp_irq_unlock(state);
    }
}

/*
 * Runs a job of task `number` with a budget of `counts`, which its hook may end; `body` is the task's. No job
 * is charged. Context: the task.
 */
void hrli_budget_run(const struct hrli_budgets *all, uint32_t number, uint32_t counts,
                     void (*body)(void));

/* The parts of that, for other ways to count a budget. What `begin` is given is `of`. Context: the task. */
void hrli_budget_run_job(struct hrli_budget_watch *watch, struct hrli_budget_job *job,
                         void (*begin)(const void *of, struct hrli_budget_job *job), const void *of,
                         void (*body)(void));

/* The function that ends the innermost job of `watch`, in its context. Context: a handler that came into it. */
void (*hrli_budget_leave(struct hrli_budget_watch *watch))(void);

/*
 * Of the job that is charged, if its budget is used up: calls the hook, and does what that answers. Returns the
 * function with which the interrupted code goes on, in place of what it did; NULL: as it was. `is_top` says whether
 * the job of a task is what the handler has interrupted: another handler may have begun, and not have paused
 * the budget yet. Context: the cell's handler, acknowledged.
 */
void (*hrli_budget_interrupt(const struct hrli_budgets *all,
                             bool (*is_top)(const struct hrl_basic *task)))(void);

#endif
