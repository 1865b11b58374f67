/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_TIMING_H
#define PLAIN_TIMING_H

#include "slice_unified_ns.h"

/* TIMING unified_ns: the 1+N paper's Listing 2, in nanoseconds. */
enum { PLAIN_SLICE_NS = (uint64_t)PLAIN_SLICE_COUNTS * HRLI_NS_PER_S / PLAIN_CLOCK_HZ };

static const struct hrli_slice_clock plain_clock = {HRLI_NS_PER_COUNT(PLAIN_CLOCK_HZ),
                                                    HRLI_COUNTS_PER_NS(PLAIN_CLOCK_HZ)};
static struct hrli_slice_unified_ns plain_unified;

enum { PLAIN_TIMING_STARTS = 1, PLAIN_TIME_PRIORITY = HRL_INTERRUPT_KERNEL };

static void plain_wake_at(hrl_stamp due)
{
    hrli_slice_unified_ns_wake_at(&plain_unified, due, &plain_clock, plain_cell_arm);
}

static void plain_wake_never(void)
{
    hrli_slice_unified_ns_wake_never(&plain_unified, &plain_clock, plain_cell_arm);
}

static const struct hrlp_cell plain_time_cell = {NULL, plain_wake_at, plain_wake_never};

static inline void plain_timing_start(void)
{
    hrli_slice_unified_ns_begin(&plain_unified, PLAIN_SLICE_NS, &plain_clock);
    plain_wake_never();
}

#include "plain_one_shot.h"

#define PLAIN_HAS_SLICES true

static inline void plain_timing_leave(void)
{
    hrli_slice_unified_ns_restart(&plain_unified, PLAIN_SLICE_NS, &plain_clock, plain_cell_arm);
}

static inline void plain_timing_interrupt(void)
{
    hrli_slice_unified_ns_interrupt(&plain_unified, PLAIN_SLICE_NS, &plain_clock, plain_cell_arm,
                                    plain_serve_interrupt);
}

#endif
