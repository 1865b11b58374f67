/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_HARMONIC_ARRAY_H
#define HRLI_HARMONIC_ARRAY_H

#include "releaser.h"

/*
 * Store: chains of tasks with periods that divide one another, shortest first, in an array.
 *
 * Where a task of a chain is due, all tasks before it are: so the first that is not due ends the
 * search, and no task is ever sorted in. A task that waits stands in its entry of the array; one
 * that is released leaves NULL there. An entry that is NULL at its instant is an overrun: it is
 * passed over, and counted when the job ends.
 *
 * Source: CHRONOS-harmonic (Heider et al., Algorithm 3), for several chains on one cell, and with
 * offsets: the instants of each level contain those of the next. Instead of a division of the tick
 * count by each period, each level counts the instants of the one before it, like the wheels of an
 * odometer; that costs no division, and does not break when the count wraps.
 */
struct hrli_harmonic_level {
    uint32_t every; /* instants of the level before it between two of its own; the first: of all */
    uint32_t left;  /* how many of these until its next, that one included */
    uint32_t tasks;
};

struct hrli_harmonic_chain {
    struct hrli_harmonic_level *levels;
    uint32_t count;               /* of levels */
    struct hrli_waiter **waiting; /* of each level's tasks, level by level; NULL: does not wait */
};

struct hrli_harmonic_array {
    HRLP_CONST struct hrli_harmonic_chain *chains;
    uint32_t count;
};

/* The address of the waiter's entry, where HRLI_HARMONIC_ENTRY has put it. Context: any. */
static inline struct hrli_waiter **hrli_harmonic_array_entry(const struct hrli_waiter *waiter)
{
#if UINTPTR_MAX < UINT32_MAX /* addresses can be initialised in pointers only */
    return (struct hrli_waiter **)waiter->node.next;
#else
    return (struct hrli_waiter **)waiter->node.spare[0];
#endif
}

/*
 * The `put` for hrli_releaser_enqueue_at_once: the node knows the address of its entry. Context: as enqueue,
 * interrupts masked.
 */
static inline void hrli_harmonic_array_put(struct hrli_releaser *releaser, void *store,
                                           struct hrli_waiter *waiter)
{
    (void)releaser;
    (void)store;
    *hrli_harmonic_array_entry(waiter) = waiter;
}

/* Releases the waiting tasks of the entries from `waiting` up to `end`. */
static inline void hrli_harmonic_array_release(struct hrli_releaser *releaser,
                                               struct hrli_waiter **waiting,
                                               struct hrli_waiter **end, hrl_stamp instant)
{
    for (; waiting != end; waiting++) {
        struct hrli_waiter *waiter = *waiting;

        if (waiter != NULL) {
            *waiting = NULL;
            hrli_releaser_release(releaser, &waiter->node, instant);
        }
    }
}

/*
 * hrli_store.release_due; every instant of the releaser, in turn. Cost: a step for each chain and
 * each level due, and the jobs released.
 */
static inline void hrli_harmonic_array_release_due(struct hrli_releaser *releaser, void *store,
                                                   hrl_stamp instant)
{
    const struct hrli_harmonic_array *array = store;

    for (uint32_t i = 0; i < array->count; i++) {
        HRLP_CONST struct hrli_harmonic_chain *chain = &array->chains[i];
        struct hrli_harmonic_level *level = chain->levels;
        struct hrli_harmonic_level *end = level + chain->count;
        struct hrli_waiter **waiting = chain->waiting;

        for (; level != end && --level->left == 0; level++) {
            level->left = level->every;
            hrli_harmonic_array_release(releaser, waiting, waiting + level->tasks, instant);
            waiting += level->tasks;
        }
    }
}

/* For kernel/assemble/store.h. */
#define HRLI_PUT_harmonic_array hrli_harmonic_array_put
#define HRLI_STATIC_STORE_harmonic_array(store)                                                    \
    HRLI_PUT_STORE(store, hrli_harmonic_array_release_due, NULL, NULL)

#endif
