/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "own_budget.h"

static void begin(const void *of, struct hrli_budget_job *job)
{
    (void)job;
    ((const struct hrli_own_budget *)of)->start();
}

void hrli_own_budget_run(const struct hrli_own_budget *own, struct hrli_budget_watch *watch,
                         void (*body)(void))
{
    struct hrli_budget_job job; /* not initialised as a whole: that is a call of memset */

    job.number = own->number;
    hrli_budget_run_job(watch, &job, begin, own, body);
    own->stop();
    watch->innermost = job.outer;
}

bool hrli_own_budget_is_open(const struct hrli_own_budget *own,
                             const struct hrli_budget_watch *watch)
{
    const struct hrli_budget_job *job = watch->innermost;

    while (job != NULL && job->number != own->number) {
        job = job->outer;
    }
    return job != NULL;
}

void (*hrli_own_budget_interrupt(const struct hrli_own_budget *own, bool is_top, bool is_begun,
                                 void (*ended)(void)))(void)
{
    if (!is_begun) { /* it ended when its budget was used up */
        return NULL;
    }
    if (!is_top) {
        own->again();
        return NULL;
    }
    if (hrli_budget_ends(own->number)) {
        return ended;
    }
    own->start();
    return NULL;
}
