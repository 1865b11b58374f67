/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_MUTEX_H
#define HRL_MUTEX_H

#include <hrl/objects.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Mutexes: owned by the thread that locked them, until it unlocks them.
 *
 *     HRL_MUTEX_DEFINE(bus);               the owner inherits the priorities of waiters, transitively
 *     HRL_MUTEX_DEFINE_CEILING(screen, 9); the owner has priority 9 while it owns it
 *
 * Not recursive. A mutex goes to the most urgent thread that waits, of these to the one that has
 * waited longest. A running thread that goes back to a lower priority comes first among the threads of
 * that priority.
 *
 * With several cores threads of any core lock a mutex. The owner inherits on its own core, from that core's next dispatch
 * on, for which the thread that waits rings: late by no more than the interrupts and the time for which dispatch is held
 * off or interrupts are masked there. In a chain of owners on several cores each adds that much. A ceiling keeps away threads
 * of the owner's core only; threads of other cores wait, and the most urgent is next.
 */

/* Define a free mutex at file scope. No thread with a priority above its ceiling may lock a mutex. */
#define HRL_MUTEX_DEFINE(mutex_name) struct hrl_mutex mutex_name = {HRLI_ZERO, 0, 0, 0, false}
#define HRL_MUTEX_DEFINE_CEILING(mutex_name, priority)                                             \
    struct hrl_mutex mutex_name = {HRLI_ZERO, 0, 0, priority, false};                              \
    HRLI_STATIC_ASSERT((priority) >= 1 && (priority) < HRL_PRIORITIES,                             \
                       "a ceiling is a priority of threads")

/* The initialisers of these, for arrays. */
#define HRL_MUTEX_INIT                                                                             \
    {                                                                                              \
        HRLI_ZERO, 0, 0, 0, false                                                                  \
    }
#define HRL_MUTEX_INIT_CEILING(priority)                                                           \
    {                                                                                              \
        HRLI_ZERO, 0, 0,                                                                           \
            (priority) + HRLI_REQUIRE((priority) >= 1 && (priority) < HRL_PRIORITIES), false       \
    }

/*
 * Locks: HRL_OK, HRL_WOULD_WAIT or HRL_TIMED_OUT. Locking a mutex that the caller owns is an error
 * that the kernel finds; a deadlock of threads that wait for one another's mutexes is one that it
 * does not find. Context: a thread that may wait; with HRL_NO_WAIT also any other. Cost: constant
 * when free. To wait: as to take a semaphore, and in proportion to the chain of owners that wait
 * for one another's mutexes and to what each of them owns, interrupts on between two of them. With several cores the
 * lock of services is held, and interrupts are masked, for each of them in proportion to what it owns, and to the
 * priorities if it waits itself.
 */
enum hrl_status hrl_mutex_lock(struct hrl_mutex *mutex, hrl_counts until);

/*
 * Unlocks. A more urgent thread that waits runs before this returns. Context: the owner. Cost:
 * constant when no thread waits; else in proportion to the owner's other mutexes that threads wait
 * for, interrupts on.
 */
void hrl_mutex_unlock(struct hrl_mutex *mutex);

/* The thread that owns `mutex`, or NULL. Context: any. */
struct hrl_thread *hrl_mutex_owner(const struct hrl_mutex *mutex);

#ifdef __cplusplus
}
#endif

#endif
