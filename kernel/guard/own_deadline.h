/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_OWN_DEADLINE_H
#define HRLI_OWN_DEADLINE_H

#include "deadline_missed.h"
#include "hrlp_irq.h"
#include <stdint.h>

/*
 * Deadline monitoring by a cell of the task's own. The deadlines are evenly spaced.
 *
 * The cell's comparison stands at the deadline of the job that has not ended, or else at that of the next
 * job. The end of a job moves it on by a step, which takes a load, an addition and a store, and the start
 * of a job takes nothing. So a deadline that holds causes no interrupt, and one that passes is noticed
 * at its instant, also if the job has not begun.
 *
 * The word `step` says by how much; it is 0 after a missed deadline, for which the interrupt has moved
 * the comparison itself. The end of a job then looks whether the comparison is at its deadline.
 *
 * `compare` and `set_compare` are the cell's comparison, to which `move` adds counts; `ahead` says how many
 * there are up to it, at most 0 if it has passed (hrlp_cell.h); `after` are the counts from a point to its
 * deadline, at most a step. The end of a job looks at `step` between the load and the store of the comparison: if
 * the interrupt comes before that look, `step` is 0, and if it comes behind it, it has stored the same.
 *
 * Source: SLOTH ON TIME (Hofer et al., RTSS 2012), section IV-B. There the cell runs in rounds, and its request
 * is enabled and disabled by each job, so that a deadline before the job's start is lost.
 */

/*
 * By how many counts the comparison moves at the end of a job that comes after a missed deadline. A job
 * that ends before the next point leaves the deadline of that point. What has passed meanwhile is behind,
 * and its interrupt finds nothing to do.
 */
static inline uint32_t hrli_own_deadline_behind(int32_t ahead, uint32_t step, uint32_t after)
{
    uint32_t by = 0;

    while (ahead <= (int32_t)after) {
        ahead += (int32_t)step;
        by += step;
    }
    return by;
}

/* A job has ended, and its task has missed its last deadline. Context: the task. */
static inline __attribute__((always_inline)) void
hrli_own_deadline_late(volatile uint32_t *step_word, uint32_t step, uint32_t after,
                       int32_t (*ahead)(void), void (*move)(uint32_t by))
{
    hrlp_irq_state state = hrlp_irq_lock();

    move(hrli_own_deadline_behind(ahead(), step, after));
    *step_word = step;
    hrlp_irq_unlock(state);
}

/* A job has ended. `late` is hrli_own_deadline_late. Context: the task, its body done. Cost: constant. */
static inline __attribute__((always_inline)) void
hrli_own_deadline_end(const volatile uint32_t *step_word, uint32_t (*compare)(void),
                      void (*set_compare)(uint32_t to), void (*late)(void))
{
    uint32_t before = compare();
    uint32_t step = *step_word;

    if (step != 0) {
        set_compare(before + step);
    } else {
        late();
    }
}

/*
 * Tells of the deadlines that have passed, and moves the comparison to the next. Context: the cell's
 * handler, acknowledged, above all tasks of the table.
 */
static inline __attribute__((always_inline)) void
hrli_own_deadline_interrupt(uint32_t number, volatile uint32_t *step_word, uint32_t step,
                            int32_t (*ahead)(void), void (*move)(uint32_t by))
{
    while (ahead() <= 0) {
        move(step);
        *step_word = 0;
        hrli_deadline_missed(number);
    }
}

#endif
