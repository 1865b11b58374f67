/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_TICK_H
#define PLAIN_TICK_H

#include "slice.h"

/*
 * TIMING tick: the 1+N paper's Listing 1. The cell interrupts once a slice, which is all the time
 * there is: a sleeping thread wakes at the first tick not before its instant, and the running
 * thread's slice ends at each. A thread that holds dispatch off keeps the processor until the next.
 */
enum { PLAIN_HAS_SLICES = 1, PLAIN_TIME_PRIORITY = HRL_INTERRUPT_KERNEL };
#define PLAIN_LEAVE
#define PLAIN_INTERRUPT                                                                            \
    hrli_periodic_interrupt(&plain_periodic, &store_0, &timeout_store, 1u);                        \
    (void)hrli_slice_end();
#define PLAIN_START /* from now on, not from 0: the clock has run since its start */               \
    plain_releaser.served = hrlp_clock_read() - 1u;                                                \
    plain_releaser.next = hrlp_clock_read() + PLAIN_SLICE_COUNTS;                                  \
    hrli_periodic_start(&plain_periodic);

static inline void plain_start_periodic(hrl_stamp first, uint32_t period)
{
    PLAIN_TIME_VERB(start_periodic)(PLAIN_TIME_CHANNEL, first, period);
}

static const struct hrlp_cell cell_0 = {plain_start_periodic, plain_arm, NULL};
static struct hrli_periodic plain_periodic = {
    .base = {.cell = &cell_0},
    .cell_period = PLAIN_SLICE_COUNTS,
    .divider = 1,
};
#define plain_releaser plain_periodic.base

static void plain_serve(struct hrli_releaser *releaser)
{
    hrli_periodic_serve((struct hrli_periodic *)releaser, &store_0, &timeout_store, 1u);
}
static void put_timeout(struct hrli_queue_node *node)
{
    hrli_periodic_put(&plain_periodic, node, &store_0, &timeout_store);
}
PLAIN_CALL(HRLI_TIMEOUT_CALLS, 0, PLAIN_STORE, &plain_releaser)

#endif
