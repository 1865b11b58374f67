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
    uint32_t accumulated; /* of the denominator, where the interval begins that `kind` asks for */
    hrl_stamp
        next; /* the instant of the next interrupt; unused where a releaser has it (stepped.h) */
    uint32_t counts; /* of the interval that begins there; only if `ahead` */
};

/* What is constant of it. Ranges: as in period.h. */
struct hrli_cell_steps_kind {
    uint32_t whole; /* counts */
    uint32_t numerator;
    uint32_t denominator;
    /* Its device is told of an interval before that begins: `accumulated` is an interval ahead of `next`. */
    bool ahead;
    void (*start_periodic)(hrl_stamp first, uint32_t period);     /* of the cell */
    void (*stretch)(hrl_stamp due, uint32_t period, bool longer); /* its device's */
};

/* The steps at the start: the first instant is at `first`, with the fraction `begin`. All are constants. */
#define HRLI_CELL_STEPS_FROM(first, whole, numerator, denominator, begin, ahead)                   \
    {                                                                                              \
        (begin) + ((ahead) ? (numerator) : 0u) -                                                   \
            ((ahead) && (begin) + (numerator) >= (denominator) ? (denominator) : 0u),              \
            (first), (whole) + ((begin) + (numerator) >= (denominator) ? 1u : 0u)                  \
    }

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
 * Steps over the interval that begins at the next instant; returns its counts. Nothing is told. Context:
 * the steps' owner.
 */
static inline __attribute__((always_inline)) uint32_t
hrli_cell_steps_advance(const struct hrli_cell_steps_kind *kind, struct hrli_cell_steps *steps)
{
    uint32_t stepped = kind->whole + hrli_cell_steps_over(kind, &steps->accumulated);
    uint32_t counts = kind->ahead ? steps->counts : stepped;

    if (kind->ahead) {
        steps->counts = stepped;
    }
    return counts;
}

/* The steps after an interval, which hold if its handler is in time. */
struct hrli_cell_steps_after {
    uint32_t accumulated;
    uint32_t counts;
};

/*
 * Tells the device of the interval from `instant`, which has just begun, and returns its counts; the steps
 * stay. Context: the cell's handler, or its releaser's owner.
 */
static inline __attribute__((always_inline)) uint32_t
hrli_cell_steps_tell(const struct hrli_cell_steps_kind *kind, const struct hrli_cell_steps *steps,
                     hrl_stamp instant, struct hrli_cell_steps_after *after)
{
    uint32_t counts;
    bool longer;

    after->accumulated = steps->accumulated;
    longer = hrli_cell_steps_over(kind, &after->accumulated);
    after->counts = kind->whole + longer;
    counts = kind->ahead ? steps->counts : after->counts;
    kind->stretch(instant + counts, kind->whole, longer);
    atomic_signal_fence(memory_order_seq_cst); /* the clock is read after this */
    return counts;
}

/* The handler was in time. */
static inline __attribute__((always_inline)) void
hrli_cell_steps_keep(const struct hrli_cell_steps_kind *kind, struct hrli_cell_steps *steps,
                     const struct hrli_cell_steps_after *after)
{
    steps->accumulated = after->accumulated;
    if (kind->ahead) {
        steps->counts = after->counts;
    }
}

/*
 * Starts the device in phase: its next interrupt comes at `next`, ahead by what start_periodic asks
 * for. Context: interrupts masked.
 */
static inline void hrli_cell_steps_start(const struct hrli_cell_steps_kind *kind,
                                         const struct hrli_cell_steps *steps, hrl_stamp next)
{
    kind->start_periodic(next, kind->whole);
    if (kind->ahead) {
        kind->stretch(next, kind->whole, steps->counts != kind->whole);
    }
}

/*
 * For a handler that comes too late or too early: whether `next` has passed. If not, the device has
 * been started anew for it; so near that this cannot be done it is waited for. A handler that is late by
 * 2^31 counts or more takes `next` for an instant ahead. Out of line, as that is rare. Context: as
 * hrli_cell_steps_tell.
 */
static __attribute__((noinline, unused)) bool
hrli_cell_steps_passed(const struct hrli_cell_steps_kind *kind, const struct hrli_cell_steps *steps,
                       hrl_stamp next)
{
    while (hrli_stamp_after(next, hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS)) {
        hrlp_irq_state state = hrlp_irq_lock();
        hrl_stamp before = hrlp_clock_read();
        bool started = hrli_stamp_after(next, before + HRLP_CELL_START_COUNTS);

        if (started) {
            hrli_cell_steps_start(kind, steps, next);
            /* An interrupt above the kernel, which no lock keeps out, may have come in: out of phase. */
            started = hrlp_clock_read() - before <= HRLP_CELL_START_COUNTS * 3u / 4u;
        }
        hrlp_irq_unlock(state);
        if (started) {
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
    struct hrli_cell_steps_after after;
    hrl_stamp instant = steps->next;
    uint32_t counts = hrli_cell_steps_tell(kind, steps, instant, &after);

    if (hrli_cell_steps_in_time(instant, counts)) {
        steps->next = instant + counts;
        hrli_cell_steps_keep(kind, steps, &after);
        return;
    }
    while (hrli_cell_steps_passed(kind, steps, steps->next)) {
        counts = hrli_cell_steps_advance(kind, steps);
        steps->next += counts;
    }
}

#endif
