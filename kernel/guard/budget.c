/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "budget.h"
#include "hrlp_cell.h"
#include "hrlp_line.h"
#include "resource_check.h"
#include "stamp.h"
#include <hrl/hooks.h>

/* After which the cell interrupts again if another handler has begun, and will have paused the budget. */
enum { AGAIN_COUNTS = 64 };

static struct hrli_budget_watch *watched; /* for leave, which takes no argument */

/*
 * Ends the innermost job: that of the interrupted code. What the job has taken it gives back. Context: the
 * job, interrupts as they were.
 */
static __attribute__((noinline)) _Noreturn void leave(void)
{
    struct hrli_budget_job *job = watched->innermost;

    if (HRL_CHECKS) {
        hrli_resource_held = job->held;
    }
    hrlp_line_restore_ceiling(job->ceiling);
    __builtin_longjmp(job->place, 1);
}

void (*hrli_budget_leave(struct hrli_budget_watch *watch))(void)
{
    watched = watch;
    return leave;
}

/* The compiler saves what the caller wants kept, as it knows that the second return keeps nothing. */
__attribute__((noinline)) void
hrli_budget_run_job(struct hrli_budget_watch *watch, struct hrli_budget_job *job,
                    void (*begin)(const void *of, struct hrli_budget_job *job), const void *of,
                    void (*body)(void))
{
    job->ceiling = hrlp_line_ceiling();
    if (HRL_CHECKS) {
        job->held = hrli_resource_held;
    }
    job->outer = watch->innermost;
    if (__builtin_setjmp(job->place) == 0) {
        watch->innermost = job;
        begin(of, job);
        body();
    }
}

static void begin(const void *of, struct hrli_budget_job *job)
{
    hrli_budget_resume(of, job);
}

static void end(const struct hrli_budgets *all)
{
    hrlp_irq_state state = hrlp_irq_lock();

    all->watch->charged = NULL;
    all->watch->innermost = all->watch->innermost->outer;
    all->disarm();
    hrlp_irq_unlock(state);
}

void hrli_budget_run(const struct hrli_budgets *all, uint32_t number, uint32_t counts,
                     void (*body)(void))
{
    struct hrli_budget_job job; /* not initialised as a whole: that is a call of memset */

    job.number = number;
    job.counts = counts;
    job.due = counts;
    hrli_budget_run_job(all->watch, &job, begin, all, body);
    end(all);
}

/* Arms the cell for the charged job, in so many counts. */
static void put_off(const struct hrli_budgets *all, uint32_t counts)
{
    hrlp_irq_state state = hrlp_irq_lock();

    all->arm(hrlp_clock_read() + counts);
    hrlp_irq_unlock(state);
}

void (*hrli_budget_interrupt(const struct hrli_budgets *all,
                             bool (*is_top)(const struct hrl_basic *task)))(void)
{
    struct hrli_budget_job *job = all->watch->charged;

    /* The job ended when its budget was used up, and another may have begun. */
    if (job == NULL || hrli_stamp_after(job->due, hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS)) {
        return NULL;
    }
    if (!is_top(hrl_gen_budget_tasks[job->number])) {
        put_off(all, AGAIN_COUNTS);
        return NULL;
    }
    all->watch->charged = NULL;
    if (hrli_budget_ends(job->number)) {
        return hrli_budget_leave(all->watch);
    }
    job->due = job->counts;
    hrli_budget_resume(all, job);
    return NULL;
}
