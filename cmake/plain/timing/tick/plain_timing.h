/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_TIMING_H
#define PLAIN_TIMING_H

#include "periodic.h"
#include "slice.h"

/*
 * TIMING tick: the 1+N paper's Listing 1. The cell interrupts once a slice, which is all the time
 * there is: a sleeping thread wakes at the first tick not before its instant, and the running
 * thread's slice ends at each.
 */
enum { PLAIN_TIMING_STARTS = 1, PLAIN_TIME_PRIORITY = HRL_INTERRUPT_KERNEL };

static inline void plain_cell_start_periodic(hrl_stamp first, uint32_t period);

static const struct hrlp_cell plain_time_cell = {plain_cell_start_periodic, plain_cell_arm, NULL};

static struct hrli_periodic plain_releaser = {
    .base = {.cell = &plain_time_cell},
    .cell_period = PLAIN_SLICE_COUNTS,
    .divider = 1,
};
#define PLAIN_RELEASER (&plain_releaser.base)

/* From now on, not from 0: the clock has run since its start. */
static inline void plain_timing_start(void)
{
    plain_releaser.base.served = hrlp_clock_read() - 1u;
    plain_releaser.base.next = hrlp_clock_read() + PLAIN_SLICE_COUNTS;
    hrli_periodic_start(&plain_releaser);
}

static void plain_serve(struct hrli_releaser *releaser)
{
    hrli_periodic_serve((struct hrli_periodic *)releaser, &plain_queue, &plain_store);
}

static void plain_put(struct hrli_queue_node *node)
{
    hrli_periodic_put(&plain_releaser, node, &plain_queue, &plain_store);
}

#define PLAIN_HAS_SLICES true

static inline void plain_timing_leave(void) {}

/* A thread that holds dispatch off keeps the processor until the next tick. */
static inline void plain_timing_interrupt(void)
{
    hrli_periodic_interrupt(&plain_releaser, &plain_queue, &plain_store);
    (void)hrli_slice_end();
}

#endif
