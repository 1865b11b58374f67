/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_RELEASE_MASK_H
#define HRLI_RELEASE_MASK_H

#include "hrlp_cpu.h"
#include <hrl/objects.h>
#include <stdbool.h>

/*
 * Release masks: sets of threads as machine words, one word of 32 threads for each level.
 *
 * Each thread that masks release has a bit. It waits for its release, or is ready, or neither: then
 * its job waits for something else, or has not ended. Releasing every thread of an instant that
 * waits is a few operations on words for each level concerned; the threads themselves are not
 * touched, and are in no queue. The most urgent threads of a level have its highest bits.
 *
 * Which masks there are is known when the system is generated, and so are levels and bits. A
 * displaced thread has got another level since. It waits for its release as the others do, but is
 * ready in the ring of the level that it has, like any thread. While there is none, that costs an
 * instant one test for each level concerned.
 *
 * With HRL_RELEASE_PRIORITIES a thread that is alone on its level, for ever, needs no word there: it is
 * ready if its level is occupied, its ring holds it all the time, and among the words of waiting
 * threads there is one more, HRLI_MASK_LEVELS, in which it has the bit of its level's number. The
 * first part of every mask is of that word, even if it is empty. No thread of such a system changes
 * its level.
 */
#define HRLI_MASK_WORDS (HRL_PRIORITIES + HRL_RELEASE_PRIORITIES)

struct hrli_masked_threads {
    uint32_t ready[HRL_PRIORITIES];
    uint32_t waiting[HRLI_MASK_WORDS]; /* for their release: a bit that goes from 1 to 0 is one */
    uint32_t displaced;                /* how many threads have another level than masks know */
    struct hrli_ready_node *const
        *by_bit[HRL_PRIORITIES]; /* by number of the bit; the system's own */
};

#define HRLI_MASK_LEVELS HRL_PRIORITIES /* as a part's level, and as a thread's */

/* The threads of one level that a mask releases. */
struct hrli_mask_part {
    uint32_t level;
    uint32_t bits;
};

struct hrli_release_mask {
    HRLP_CONST struct hrli_mask_part *parts; /* no two of one level */
    uint32_t count;
};

/* The level at which masks release `node`, and its bit there; 0: no mask does. */
static inline hrli_level hrli_mask_level(const struct hrli_ready_node *node)
{
#if HRL_RELEASE_MASKS /* as the node has the field */
    return node->mask_priority;
#else
    return node->priority;
#endif
}

static inline uint32_t hrli_mask_bit(const struct hrli_ready_node *node)
{
#if HRL_RELEASE_MASKS /* as the node has the field */
    return node->mask_bit;
#else
    (void)node;
    return 0;
#endif
}

/* Whether `node`, which is not ready, is to become so as a bit. */
static inline bool hrli_masked_takes(const struct hrli_ready_node *node)
{
    return hrli_mask_bit(node) != 0 && node->priority == hrli_mask_level(node);
}

/* Whether `node` is one that is always alone on its level. */
static inline bool hrli_mask_is_alone(const struct hrli_ready_node *node)
{
    return HRL_OWN_PRIORITIES ||
           (HRL_RELEASE_PRIORITIES && hrli_mask_level(node) == HRLI_MASK_LEVELS);
}

static inline bool hrli_masked_is_ready(const struct hrli_masked_threads *threads,
                                        const struct hrli_ready_node *node)
{
    return (threads->ready[hrli_mask_level(node)] & hrli_mask_bit(node)) != 0;
}

/* The most urgent thread of `level` that is ready as a bit; there is one. */
static inline struct hrli_ready_node *hrli_masked_first(const struct hrli_masked_threads *threads,
                                                        uint32_t level)
{
    return threads->by_bit[level][hrlp_cpu_highest_bit(threads->ready[level])];
}

#endif
