/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "deadline.h"
#include <hrl/hooks.h>

/* Without this hook a missed deadline stops the program. */
__attribute__((weak)) void hrl_basic_deadline_hook(const struct hrl_basic *task)
{
    (void)task;
    hrl_assert_hook("a monitored deadline has passed, and there is no hrl_basic_deadline_hook",
                    __FILE__, __LINE__);
}

void hrli_deadline_interrupt(const struct hrli_deadlines *all)
{
    struct hrli_deadline_watch *watch = all->watch;
    hrlp_irq_state state;

    while (!hrli_stamp_after(watch->due, hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS)) {
        const struct hrli_deadline *deadline = watch->at;
        struct hrli_deadline_job *job = deadline->job;

        job->misses++;
        hrli_deadline_move_on(job, deadline);
        hrli_deadline_watch_next(watch);
        hrl_basic_deadline_hook(all->tasks[job - all->jobs]);
    }
    state = hrlp_irq_lock();
    all->arm(watch->due);
    hrlp_irq_unlock(state);
}
