/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_WOKEN_H
#define HRLI_WOKEN_H

#include "core.h"
#include "hrlp_cores.h"

/*
 * How a core makes a thread of another core ready. Only its own core touches a ready queue. So the core
 * that ends a thread's wait puts the thread into a list of the thread's core and rings there; that core's
 * handler empties the list. Both hold the lock of services (sync_lock.h), which is all that two cores share.
 *
 * A thread that was woken elsewhere may run before that, as its time-out came in the same moment. It lets the
 * handler come first, before it waits for anything else (hrli_is_woken). woken.pml is a model of all that.
 */

/* Whether `thread` runs on another core. Context: any. */
static inline bool hrli_is_elsewhere(const struct hrl_thread *thread)
{
#if HRL_CORES > 1 /* as threads have no such field on one core */
    return thread->core != hrlp_core_number();
#else
    (void)thread;
    return false;
#endif
}

/* From now on `thread` runs on this core. Context: start-up. */
static inline void hrli_set_core(struct hrl_thread *thread)
{
#if HRL_CORES > 1 /* as above */
    thread->core = (hrli_number)hrlp_core_number();
#else
    (void)thread;
#endif
}

/* Has `thread`, which runs on another core, made ready there. Context: the lock of services is held. */
void hrli_wake_elsewhere(struct hrl_thread *thread);

/* Whether `thread` is in its core's list. Context: the lock of services is held. */
static inline bool hrli_is_woken(const struct hrl_thread *thread)
{
#if HRL_CORES > 1 /* as above */
    return HRLP_SEE(thread->is_woken);
#else
    (void)thread;
    return false;
#endif
}

#endif
