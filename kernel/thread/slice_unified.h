/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SLICE_UNIFIED_H
#define HRLI_SLICE_UNIFIED_H

#include "hrlp_cell.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "slice.h"
#include "slice_match.h"
#include "stamp.h"

/*
 * Wake-ups and the slice's end on one cell, in counts: the 1+N paper's Listing 2 without its
 * conversions.
 *
 * The releaser of time-outs arms this in the place of its cell, and the wake-up is noted here; the
 * cell itself is armed for the wake-up or the slice's end, whichever comes first, there and at
 * every switch.
 *
 * `arm` is the cell's own arm, a constant. The slice is less than 2^30 counts.
 */
struct hrli_slice_unified {
    hrl_stamp end;  /* of the running thread's slice */
    hrl_stamp wake; /* the releaser's instant; if it armed none, some instant ahead */
#if HRL_CORES > 1   /* as one core shares its cell with none */
    struct hrli_slice_match match;
#endif
};

/* updateMatchRegister. Context: interrupts masked. */
static inline void hrli_slice_unified_arm(struct hrli_slice_unified *unified,
                                          void (*arm)(hrl_stamp due))
{
    hrl_stamp next = hrli_stamp_after(unified->end, unified->wake) ? unified->wake : unified->end;

#if HRL_CORES > 1 /* as above */
    hrli_slice_match_set(&unified->match, next, arm);
#else
    arm(next);
#endif
}

#if HRL_CORES > 1 /* as above */
/* Before hrli_slice_unified_interrupt: other cores that are due are called. Context: the cell's handler. */
static inline void hrli_slice_unified_pass_on(struct hrli_slice_unified *unified,
                                              void (*ring)(unsigned core))
{
    hrli_slice_match_pass_on(&unified->match, hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS, ring);
}
#endif

/* The releaser's arm and disarm. Context: as these. */
static inline void hrli_slice_unified_wake_at(struct hrli_slice_unified *unified, hrl_stamp due,
                                              void (*arm)(hrl_stamp due))
{
    unified->wake = due;
    hrli_slice_unified_arm(unified, arm);
}

static inline void hrli_slice_unified_wake_never(struct hrli_slice_unified *unified,
                                                 void (*arm)(hrl_stamp due))
{
    hrli_slice_unified_wake_at(unified, hrlp_clock_read() + ((hrl_stamp)1 << 30), arm);
}

/* A fresh slice, from now on. Context: the dispatch; start-up, before anything is armed. */
static inline void hrli_slice_unified_begin(struct hrli_slice_unified *unified, uint32_t slice)
{
    unified->end = hrlp_clock_read() + slice;
}

static inline void hrli_slice_unified_restart(struct hrli_slice_unified *unified, uint32_t slice,
                                              void (*arm)(hrl_stamp due))
{
    hrlp_irq_state state = hrlp_irq_lock();

    hrli_slice_unified_begin(unified, slice);
    hrli_slice_unified_arm(unified, arm);
    hrlp_irq_unlock(state);
}

/*
 * The cell's interrupt, acknowledged; `serve` is the releaser's part, which arms the cell for both
 * unless it is deferred. A thread that wakes now comes before the thread that gives way now.
 * Context: the cell's handler.
 */
static inline __attribute__((always_inline)) void
hrli_slice_unified_interrupt(struct hrli_slice_unified *unified, uint32_t slice,
                             void (*arm)(hrl_stamp due), void (*serve)(void))
{
    hrl_stamp now = hrlp_clock_read();
    bool is_over = !hrli_stamp_after(unified->end, now + HRLP_CELL_EARLY_COUNTS);

    if (is_over) {
        unified->end = now + slice;
    }
    serve();
    if (is_over && !hrli_slice_end()) {
        unified->end = now + HRLI_SLICE_PROLONGED_COUNTS;
        hrli_slice_unified_arm(unified, arm);
    }
}

#endif
