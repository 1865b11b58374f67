/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_TIMING_H
#define PLAIN_TIMING_H

#include "slice_unified.h"

/* TIMING unified: the 1+N paper's Listing 2, in counts. */
static struct hrli_slice_unified plain_unified;

enum { PLAIN_TIMING_STARTS = 1, PLAIN_TIME_PRIORITY = HRL_INTERRUPT_KERNEL };

static void plain_wake_at(hrl_stamp due)
{
    hrli_slice_unified_wake_at(&plain_unified, due, plain_cell_arm);
}

static void plain_wake_never(void)
{
    hrli_slice_unified_wake_never(&plain_unified, plain_cell_arm);
}

static const struct hrlp_cell plain_time_cell = {NULL, plain_wake_at, plain_wake_never};

static inline void plain_timing_start(void)
{
    hrli_slice_unified_begin(&plain_unified, PLAIN_SLICE_COUNTS);
    plain_wake_never();
}

#include "plain_one_shot.h"

#define PLAIN_HAS_SLICES true

static inline void plain_timing_leave(void)
{
    hrli_slice_unified_restart(&plain_unified, PLAIN_SLICE_COUNTS, plain_cell_arm);
}

static inline void plain_timing_interrupt(void)
{
    hrli_slice_unified_interrupt(&plain_unified, PLAIN_SLICE_COUNTS, plain_cell_arm,
                                 plain_serve_interrupt);
}

#endif
