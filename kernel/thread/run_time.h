/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_RUN_TIME_H
#define HRLI_RUN_TIME_H

#include "hrlp_per_core.h"
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stdatomic.h>
#include <stddef.h>

/*
 * How long each thread has had the processor, for hrl_thread_run_time. A system that counts calls
 * hrli_run_time_leave from its dispatch (dispatch.h), and says so in hrli_system.counts_run_time.
 *
 * Interrupts and the dispatch count for the thread that they come into. The 64-bit clock is read,
 * not the stamp: nothing else limits how long a thread may run without a switch.
 */
extern HRLP_PER_CORE hrl_counts hrli_run_time_since; /* when the running thread got the processor */

/* The field for how long `thread` has run; NULL in builds with threads that have none. */
static inline hrl_counts *hrli_run_time_of(const struct hrl_thread *thread)
{
#if HRL_RUN_TIME /* as threads have the field */
    return (hrl_counts *)&thread->run_time;
#else
    (void)thread;
    return NULL;
#endif
}

/*
 * Shows other cores what it is, without a lock: they read the three words in the other order, and again if the upper halves
 * differ. If those are equal, the lower half was written between them. Context: the dispatch of the core that has it.
 */
static inline void hrli_run_time_show(struct hrl_thread *thread)
{
#if HRL_RUN_TIME && HRL_CORES > 1 /* as threads have the fields */
    HRLP_SHOW(thread->run_time_shown.high_before, (uint32_t)(thread->run_time >> 32));
    atomic_signal_fence(memory_order_seq_cst);
    HRLP_PUBLISH(thread->run_time_shown.low, (uint32_t)thread->run_time);
    atomic_signal_fence(memory_order_seq_cst);
    HRLP_PUBLISH(thread->run_time_shown.high_behind, (uint32_t)(thread->run_time >> 32));
#else
    (void)thread;
#endif
}

/* What that is of `thread`. Context: any; while it is written it is read again. */
static inline hrl_counts hrli_run_time_seen(const struct hrl_thread *thread)
{
#if HRL_RUN_TIME && HRL_CORES > 1 /* as above */
    uint32_t behind, low, before;

    do {
        behind = HRLP_SEE_PUBLISHED(thread->run_time_shown.high_behind);
        atomic_signal_fence(memory_order_seq_cst);
        low = HRLP_SEE_PUBLISHED(thread->run_time_shown.low);
        atomic_signal_fence(memory_order_seq_cst);
        before = HRLP_SEE(thread->run_time_shown.high_before);
    } while (before != behind);
    return (hrl_counts)behind << 32 | low;
#else
    (void)thread;
    return 0;
#endif
}

/* Charges `thread` with the time since the last call. Context: the dispatch. */
static inline void hrli_run_time_leave(struct hrl_thread *thread)
{
    hrl_counts now = hrl_now();

    *hrli_run_time_of(thread) += now - hrli_run_time_since;
    hrli_run_time_since = now;
    hrli_run_time_show(thread);
}

#endif
