/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_RUN_TIME_H
#define HRLI_RUN_TIME_H

#include "hrlp_per_core.h"
#include <hrl/thread.h>
#include <hrl/time.h>
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

/* Charges `thread` with the time since the last call. Context: the dispatch. */
static inline void hrli_run_time_leave(struct hrl_thread *thread)
{
    hrl_counts now = hrl_now();

    *hrli_run_time_of(thread) += now - hrli_run_time_since;
    hrli_run_time_since = now;
}

#endif
