/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "deadline.h"
#include "deadline_missed.h"

void hrli_deadline_interrupt(const struct hrli_deadlines *all)
{
    struct hrli_deadline_watch *watch = all->watch;
    hrlp_irq_state state;

    while (!hrli_stamp_after(watch->due, hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS)) {
        const struct hrli_deadline *deadline = watch->at;
        struct hrli_deadline_job *job = deadline->job;

        hrli_deadline_move_on(job, deadline);
        hrli_deadline_watch_next(watch);
        hrli_deadline_missed((uint32_t)(job - all->jobs));
    }
    state = hrlp_irq_lock();
    all->arm(watch->due);
    hrlp_irq_unlock(state);
}
