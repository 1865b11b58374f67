/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_RELEASE_BY_MASK_H
#define HRLI_RELEASE_BY_MASK_H

#include "releaser.h"

/* Shared by the stores that release by masks: period_groups.h, mask_table.h. */

/*
 * The `put` for hrli_releaser_enqueue_at_once: sets a bit of the ready queue. Context: as enqueue,
 * interrupts masked.
 */
static inline void hrli_release_by_mask_put(struct hrli_releaser *releaser, void *store,
                                            struct hrli_waiter *waiter)
{
    (void)store;
    hrli_ready_await(releaser->ready, hrli_waiter_ready(waiter));
}

/*
 * hrli_releaser_calls.enqueue of both stores and all modes: so a waiting thread need not ask which it
 * is. Context: as enqueue.
 */
static inline bool hrli_release_by_mask_enqueue(struct hrli_releaser *releaser,
                                                struct hrli_waiter *waiter, hrl_stamp from,
                                                uint32_t span)
{
    return hrli_releaser_enqueue_at_once(releaser, waiter, from, span, NULL,
                                         hrli_release_by_mask_put);
}

/* Tells the observer of each task, if there is one. */
static inline void hrli_release_by_mask_trace(struct hrli_releaser *releaser, uint32_t level,
                                              uint32_t released, hrl_stamp instant)
{
    struct hrli_ready_node *const *by_bit = hrli_ready_masked(releaser->ready)->by_bit[level];

    hrlp_trace_mask(level, released);
    while (HRLP_TRACES && released != 0) { /* the most urgent first */
        uint32_t bit = hrlp_cpu_highest_bit(released);
        const struct hrli_periodic_thread *thread = (void *)by_bit[bit];

        hrlp_trace_released(&thread->waiter, instant);
        released &= ~((uint32_t)1 << bit);
    }
}

/* Releases the waiting threads of `part` at once. Context: as hrli_release_by_mask. */
static inline void hrli_release_by_mask_part(struct hrli_releaser *releaser,
                                             HRLP_CONST struct hrli_mask_part *part,
                                             hrl_stamp instant)
{
    uint32_t released;

    hrli_releaser_lock();
    released = hrli_ready_release(releaser->ready, part);
    hrli_releaser_unlock();
    hrli_release_by_mask_trace(releaser, part->level, released, instant);
}

/* Releases the waiting threads of the first `part` of a mask. Context: as hrli_release_by_mask. */
static inline void hrli_release_by_levels(struct hrli_releaser *releaser,
                                          HRLP_CONST struct hrli_mask_part *part, hrl_stamp instant)
{
    uint32_t released;

    hrli_releaser_lock();
    released = hrli_ready_release_levels(releaser->ready, part);
    hrli_releaser_unlock();
    hrlp_trace_mask(HRLI_MASK_WORDS - 1, released);
    while (HRLP_TRACES && released != 0) {
        uint32_t level = hrlp_cpu_highest_bit(released);
        const struct hrli_periodic_thread *thread =
            (void *)hrli_ready_first_of(releaser->ready, level);

        hrlp_trace_released(&thread->waiter, instant);
        released &= ~((uint32_t)1 << level);
    }
}

/* Releases them one by one, while any is displaced. Out of line, as that is rare. */
static __attribute__((noinline, unused)) void
hrli_release_by_mask_each(struct hrli_releaser *releaser, HRLP_CONST struct hrli_mask_part *part,
                          uint32_t count, hrl_stamp instant)
{
    struct hrli_masked_threads *threads = hrli_ready_masked(releaser->ready);

    for (; count != 0; count--, part++) {
        while ((threads->waiting[part->level] & part->bits) != 0) {
            uint32_t released;

            hrli_releaser_lock();
            released = hrli_ready_release_first(releaser->ready, part);
            hrli_releaser_unlock();
            hrli_release_by_mask_trace(releaser, part->level, released, instant);
        }
    }
}

/*
 * Releases the waiting threads of the `count` parts of a mask. Context: the releaser's owner. Cost: in proportion to the
 * levels concerned, at most HRL_PRIORITIES, however many threads wait; and to the threads while any
 * is displaced. Interrupts are on between two levels, or threads.
 */
static inline void hrli_release_by_mask(struct hrli_releaser *releaser,
                                        HRLP_CONST struct hrli_mask_part *part, uint32_t count,
                                        hrl_stamp instant)
{
    HRLP_CONST struct hrli_mask_part *end = part + count;

    if (HRL_RELEASE_PRIORITIES) { /* so no thread is displaced */
        hrli_release_by_levels(releaser, part++, instant);
    } else if (__builtin_expect(hrli_ready_masked(releaser->ready)->displaced != 0, 0)) {
        hrli_release_by_mask_each(releaser, part, count, instant);
        return;
    }
    for (; part != end; part++) {
        hrli_release_by_mask_part(releaser, part, instant);
    }
}

#endif
