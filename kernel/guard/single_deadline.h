/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SINGLE_DEADLINE_H
#define HRLI_SINGLE_DEADLINE_H

#include "deadline_missed.h"
#include "hrlp_cell.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "stamp.h"
#include <hrl/types.h>

/*
 * Deadline monitoring of one task with evenly spaced deadlines, by a one-shot cell: as deadline.h, of which all
 * data but one word are constants then.
 *
 * `due` is the instant for which the cell is armed: the deadline of the job that has not ended, or else of the
 * next one. `step` are the counts from deadline to deadline, `after` those from a point to its deadline, both below
 * 2^30. `arm` arms the cell, or for a hop towards `due`; context: as hrlp_cell_arm.
 *
 * Source: as deadline.h.
 */

/*
 * A job has ended. It is the job of the last point that has passed, unless the deadline of that has passed, too.
 * Context: the task, its body done. Cost: constant.
 */
static inline __attribute__((always_inline)) void
hrli_single_deadline_end(hrl_stamp *due, uint32_t step, uint32_t after, void (*arm)(hrl_stamp due))
{
    hrlp_irq_state state = hrlp_irq_lock();
    hrl_stamp at = *due;

    if (!hrli_stamp_after(at - after, hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS)) {
        *due = at + step;
        arm(at + step);
    }
    hrlp_irq_unlock(state);
}

/*
 * Tells of the deadlines that have passed, and arms the cell for the next. Context: the cell's handler,
 * acknowledged, above all tasks of the table.
 */
static inline __attribute__((always_inline)) void
hrli_single_deadline_interrupt(hrl_stamp *due, uint32_t step, void (*arm)(hrl_stamp due))
{
    hrlp_irq_state state;

    while (!hrli_stamp_after(*due, hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS)) {
        *due += step;
        hrli_deadline_missed(0);
    }
    state = hrlp_irq_lock();
    arm(*due);
    hrlp_irq_unlock(state);
}

#endif
