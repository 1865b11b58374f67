/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "moving_deadlines.h"
#include "deadline_missed.h"
#include <stddef.h>

static hrl_stamp next_of(const struct hrli_moving_deadlines *mode)
{
    return mode->origin + mode->watch.due;
}

void hrli_moving_deadlines_begin(struct hrli_deadline_mover *mover,
                                 struct hrli_moving_deadlines *mode, hrl_stamp begin)
{
    mover->running = mode;
    if (mode != NULL) {
        mode->origin = begin - mode->begin;
        mover->arm(next_of(mode));
    } else {
        mover->disarm();
    }
}

bool hrli_moving_deadlines_are_open(const struct hrli_deadline_mover *mover, hrl_stamp end)
{
    return mover->running != NULL && !hrli_stamp_after(next_of(mover->running), end);
}

void hrli_moving_deadlines_end(struct hrli_deadline_mover *mover, hrl_stamp end)
{
    struct hrli_moving_deadlines *mode = mover->running;

    if (mode != NULL) {
        mode->begin = end - mode->origin;
        mover->running = NULL;
        mover->disarm();
    }
}

void hrli_moving_deadlines_shift(struct hrli_deadline_mover *mover, hrl_stamp by)
{
    if (mover->running != NULL) {
        mover->running->origin += by;
        mover->arm(next_of(mover->running));
    }
}

/* Behind the end of the last round a job that has missed its deadline may go on: nothing of it is monitored. */
void hrli_moving_deadlines_job_end(struct hrli_deadline_mover *mover, uint32_t number)
{
    hrlp_irq_state state = hrlp_irq_lock();
    struct hrli_moving_deadlines *mode = mover->running;

    if (mode != NULL && mode->jobs[number].at != NULL) {
        hrli_deadline_end_from(mode->origin, &mode->jobs[number], &mode->watch, mover->arm);
    }
    hrlp_irq_unlock(state);
}

void hrli_moving_deadlines_interrupt(struct hrli_deadline_mover *mover)
{
    struct hrli_moving_deadlines *mode;
    hrlp_irq_state state;

    while ((mode = mover->running) != NULL &&
           !hrli_stamp_after(next_of(mode), hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS)) {
        const struct hrli_deadline *deadline = mode->watch.at;
        struct hrli_deadline_job *job = deadline->job;

        hrli_deadline_move_on(job, deadline);
        hrli_deadline_watch_next(&mode->watch);
        hrli_deadline_missed((uint32_t)(job - mode->jobs));
    }
    state = hrlp_irq_lock();
    if (mover->running != NULL) {
        mover->arm(next_of(mover->running));
    }
    hrlp_irq_unlock(state);
}
