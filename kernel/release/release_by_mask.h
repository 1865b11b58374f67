/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_RELEASE_BY_MASK_H
#define HRLI_RELEASE_BY_MASK_H

#include "releaser.h"

/* What the stores that release by masks share: period_groups.h, mask_table.h. */

/*
 * What hrli_releaser_hold_at_once puts a waiter in by: a bit of the ready set. Context: there.
 */
static inline void hrli_release_by_mask_put(struct hrli_releaser *releaser, void *store,
                                            struct hrli_waiter *waiter)
{
    (void)store;
    hrli_ready_await(releaser->ready, &waiter->ready);
}

/*
 * hrli_releaser_calls.hold of both, whatever the mode: so who waits need not ask which it is.
 * Context: there.
 */
static inline bool hrli_release_by_mask_hold(struct hrli_releaser *releaser,
                                             struct hrli_waiter *waiter)
{
    return hrli_releaser_hold_at_once(releaser, waiter, NULL, hrli_release_by_mask_put);
}

/* The observer is told of each task; on a board the compiler sees that nobody listens. */
static inline void hrli_release_by_mask_trace(struct hrli_releaser *releaser, uint32_t level,
                                              uint32_t released, hrl_stamp instant)
{
    struct hrli_ready_node *const *mates = hrli_ready_masked(releaser->ready)->mates[level];

    while (released != 0) { /* the most urgent first */
        uint32_t bit = hrlp_cpu_highest_bit(released);
        struct hrli_ready_node *node = mates[bit];
        const char *waiter = (const char *)node - offsetof(struct hrli_waiter, ready);

        hrlp_trace_released(waiter, instant);
        released &= ~((uint32_t)1 << bit);
    }
}

/*
 * Releases of the threads in `mask` those that wait. Context: the releaser's owner, interrupts
 * masked. Cost: in proportion to the levels concerned, at most HRL_LEVELS, whoever waits.
 */
static inline void hrli_release_by_mask(struct hrli_releaser *releaser,
                                        const struct hrli_release_mask *mask, hrl_stamp instant)
{
    const struct hrli_mask_part *end = mask->parts + mask->count;

    for (const struct hrli_mask_part *part = mask->parts; part != end; part++) {
        uint32_t released = hrli_ready_release(releaser->ready, part);

        hrli_release_by_mask_trace(releaser, part->level, released, instant);
    }
}

#endif
