/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SLICE_H
#define HRLI_SLICE_H

#include "core.h"

/*
 * Time slices: when a thread's slice is over and another of its level is ready, it goes to the end
 * of its level.
 *
 * Which cell says that a slice is over is the timing model's business, one of three in Terraneo and
 * Cattaneo, "Efficient Design of High-Resolution Timekeeping" (the 1+N paper), the second in two
 * forms:
 *
 *  tick    the slice is the tick: nothing is done at a switch (Listing 1)
 *  unified wake-ups and the slice's end share a cell, armed anew at every switch (Listing 2):
 *          slice_unified.h with counts inside, slice_unified_ns.h with nanoseconds, as in the paper
 *  1+N     the slice has a cell of its own on each core, which every switch restarts (Listing 3)
 *
 * With several cores each has its own slices. Under the unified models they all share one cell (slice_match.h); under
 * the tick each core has a tick of its own.
 *
 * As there, every trip through the dispatch begins a fresh slice, also that of a thread that was
 * preempted and goes on, or that yielded and is alone; under the tick it has what is left of the
 * tick.
 *
 * The models restart the slice before the dispatch chooses. So the end of the old slice never falls
 * upon the new thread: an interrupt that comes earlier finds the old one, which has had its time;
 * one that comes later is a whole slice away.
 */

/*
 * How much later a slice ends that could not end when it was over, in counts: no less than a cell
 * can do.
 */
enum { HRLI_SLICE_PROLONGED_COUNTS = 500 };

/*
 * The running thread's slice is over. It gives way if it can, which asks for a switch. False: it
 * holds off dispatch, or is being switched already, so that this has to be tried again a little
 * later. Context: a handler.
 */
static inline bool hrli_slice_end(void)
{
    struct hrli_ready_node *node = &hrli_core.running->ready;

    if (hrli_core.threshold != node->priority) {
        return false;
    }
#if HRL_GLOBAL_THREADS /* as the field is there only then */
    if (hrli_core.running->affinity != 0) {
        hrli_core.gives_way = true;
        hrlp_cpu_request_switch();
        return true;
    }
#endif
    /* It is not the first of its level if it is about to wait, or to yield. */
    if (hrli_core_runs_first() && hrli_ready_give_way(&hrli_core.ready, node) != NULL) {
        hrlp_cpu_request_switch();
    }
    return true;
}

#endif
