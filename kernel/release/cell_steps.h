/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CELL_STEPS_H
#define HRLI_CELL_STEPS_H

#include "hrlp_cell.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "stamp.h"
#include <stdatomic.h>
#include <stdbool.h>

/*
 * The interrupts of a periodic cell with a period that is no whole number of counts.
 *
 * Interrupt k comes at floor(first + k * period) counts, exactly, for ever: so the instants of a task
 * with a period that is a multiple of the cell's, and an offset on its instants, are instants of the
 * cell (period.h has the same rule). Intervals are `whole` or `whole` + 1 counts, which the fraction
 * says as it accumulates (J. E. Bresenham, "Algorithm for computer control of a digital plotter",
 * IBM Systems Journal 4(1), 1965). Each interrupt's handler tells the device the interval (hrlp_cell.h,
 * stretch).
 *
 * A handler that comes a whole interval late has told the device too late: the device has gone on with
 * the interval before. Then it is started anew, in phase. So is one that finds itself too early, as the
 * handler before it has served its instant.
 */
struct hrli_cell_steps {
    uint32_t accumulated; /* of the denominator, at the instant of the next interrupt */
    hrl_stamp next;       /* that instant; unused where a releaser has it (stepped.h) */
};

/* What is constant of it. Ranges: as in period.h. */
struct hrli_cell_steps_kind {
    uint32_t whole; /* counts */
    uint32_t numerator;
    uint32_t denominator;
    void (*start_periodic)(hrl_stamp first, uint32_t period); /* of the cell */
    void (*stretch)(hrl_stamp due, uint32_t period, bool longer,
                    bool then_longer); /* its device's */
};

/* Whether the interval that begins with the fraction `*accumulated` is a count longer; steps over it. */
static inline __attribute__((always_inline)) bool
hrli_cell_steps_over(const struct hrli_cell_steps_kind *kind, uint32_t *accumulated)
{
    uint32_t sum = *accumulated + kind->numerator;
    bool longer = sum >= kind->denominator;

    *accumulated = longer ? sum - kind->denominator : sum;
    return longer;
}

/*
 * Tells the device of the interval from `instant`, which has just begun, to the next one; returns its
 * counts. `accumulated` is the fraction at `instant`, and then that at the next. Context: the cell's
 * handler, or its releaser's owner.
 */
static inline __attribute__((always_inline)) uint32_t
hrli_cell_steps_tell(const struct hrli_cell_steps_kind *kind, hrl_stamp instant,
                     uint32_t *accumulated)
{
    bool longer = hrli_cell_steps_over(kind, accumulated);
    uint32_t after = *accumulated;
    uint32_t counts = kind->whole + longer;

    kind->stretch(instant + counts, kind->whole, longer, hrli_cell_steps_over(kind, &after));
    atomic_signal_fence(memory_order_seq_cst); /* the clock is read after this */
    return counts;
}

/*
 * Starts the device in phase: its next interrupt comes at `next`, ahead by what start_periodic asks
 * for. Context: interrupts masked.
 */
static inline void hrli_cell_steps_start(const struct hrli_cell_steps_kind *kind, hrl_stamp next,
                                         uint32_t accumulated)
{
    kind->start_periodic(next, kind->whole);
    kind->stretch(next, kind->whole, false, hrli_cell_steps_over(kind, &accumulated));
}

/*
 * For a handler that comes too late or too early: whether `next` has passed. If not, the device has
 * been started anew for it; so near that this cannot be done it is waited for. Out of line, as that is
 * rare. Context: as hrli_cell_steps_tell.
 */
static __attribute__((noinline, unused)) bool
hrli_cell_steps_passed(const struct hrli_cell_steps_kind *kind, hrl_stamp next,
                       uint32_t accumulated)
{
    while (hrli_stamp_after(next, hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS)) {
        hrlp_irq_state state = hrlp_irq_lock();
        bool far = hrli_stamp_after(next, hrlp_clock_read() + HRLP_CELL_START_COUNTS);

        if (far) {
            hrli_cell_steps_start(kind, next, accumulated);
        }
        hrlp_irq_unlock(state);
        if (far) {
            return false;
        }
    }
    return true;
}

/* Whether a handler that has told the device of the interval from `instant` of `counts` is in it. */
static inline __attribute__((always_inline)) bool hrli_cell_steps_in_time(hrl_stamp instant,
                                                                          uint32_t counts)
{
    return __builtin_expect(hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS - instant < counts, 1);
}

/*
 * The cell's interrupt, where what it serves asks the clock and not which interrupt it is. Context: its
 * handler, acknowledged, before it serves.
 */
static inline __attribute__((always_inline)) void
hrli_cell_steps_interrupt(struct hrli_cell_steps *steps, const struct hrli_cell_steps_kind *kind)
{
    uint32_t accumulated = steps->accumulated;
    uint32_t counts = hrli_cell_steps_tell(kind, steps->next, &accumulated);

    if (hrli_cell_steps_in_time(steps->next, counts)) {
        steps->next += counts;
        steps->accumulated = accumulated;
        return;
    }
    while (hrli_cell_steps_passed(kind, steps->next, steps->accumulated)) {
        steps->next += kind->whole + hrli_cell_steps_over(kind, &steps->accumulated);
    }
}

#endif
