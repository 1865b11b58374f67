/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_EVENT_H
#define HRL_EVENT_H

#include <hrl/objects.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Events: 32 flags that are set and cleared, and waited for in any combination.
 *
 *     HRL_EVENT_DEFINE(link);
 *     in the interrupt: hrl_event_set(&link, LINK_UP);
 *     in a thread: hrl_event_wait(&link, LINK_UP | LINK_LOST, HRL_EVENT_CLEAR, until, &seen);
 *
 * One set wakes every waiting thread that has its condition met by the flags as they are then, the
 * most urgent first, of these the one that has waited longest. The flags that these threads asked
 * to be cleared are cleared after all waiting threads were looked at: no waiting thread takes a
 * flag away from another. Flags are not counted.
 */

/* How to wait: HRL_EVENT_ANY or HRL_EVENT_ALL, and HRL_EVENT_CLEAR or not. */
enum hrl_event_mode {
    HRL_EVENT_ANY = 0, /* for one of the flags at least */
    HRL_EVENT_ALL = 1, /* for all of them together */
    HRL_EVENT_CLEAR =
        2 /* and clear those that were waited for, set or not, unless the time is over first */
};

/* Defines an event with no flag set. At file scope. */
#define HRL_EVENT_DEFINE(event_name) struct hrl_event event_name = HRL_EVENT_INIT

/* The initialiser of one, for arrays. */
#define HRL_EVENT_INIT                                                                             \
    {                                                                                              \
        HRLI_ZERO, 0, 0                                                                            \
    }

/*
 * Sets `flags` beside those that are set. More urgent threads that this wakes run before it
 * returns. Context: a thread, an interrupt. Cost: with one waiting thread at most, constant. With
 * more, in proportion to all that wait for this event; more urgent interrupts come in between two
 * of them. An interrupt that came into a set of the same event first finishes that set's look at
 * the rest.
 */
void hrl_event_set(struct hrl_event *event, uint32_t flags);

/*
 * Clears `flags`. Context: a thread, an interrupt. One that comes into a set by a thread changes
 * nothing for the threads that this set wakes.
 */
void hrl_event_clear(struct hrl_event *event, uint32_t flags);

/*
 * The flags that are set. Context: any. An interrupt that comes into a set by a thread still sees
 * flags that the set is going to clear.
 */
uint32_t hrl_event_flags(const struct hrl_event *event);

/*
 * Waits for `flags`, at least one, as the bits of `mode` say: HRL_OK, HRL_WOULD_WAIT or
 * HRL_TIMED_OUT. With HRL_OK all flags as they were when the condition held are in `seen`, unless
 * that is NULL; else it is not touched. Context: a thread that may wait; with HRL_NO_WAIT also any other and an
 * interrupt, which in a set by a thread counts as one of those that waited. Cost: as to take a semaphore.
 */
enum hrl_status hrl_event_wait(struct hrl_event *event, uint32_t flags, uint32_t mode,
                               hrl_counts until, uint32_t *seen);

#ifdef __cplusplus
}
#endif

#endif
