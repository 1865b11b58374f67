/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_BUCKET_H
#define HRLI_BUCKET_H

#include "queue_node.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Delay queue: the Bucket of Ignorance, a sorted list of what is due soon and a bucket of the rest,
 * from which the list is refilled by merge sort.
 *
 * The contract is README.md's. Source: Ebbrecht, Chen and Chen, as in the thesis on task
 * dispatching, appendix A.2. As there: what is earlier than the bucket's least goes to its place in
 * the list, all else into the bucket, and an insertion into the bucket that finds the list empty
 * refills it with the earlier half of the bucket.
 *
 * One thing differs. There the bucket is unsorted until a refill. But an interrupt may pop all
 * nodes, one instant after the other, before any thread inserts; so some `pop` would have to sort n
 * nodes with interrupts off. Here the inserting thread does the merge sort in advance and by
 * pieces, with interrupts on: the bucket consists of sorted runs of at most 1, 2, 4, ... nodes, the
 * older the longer, and two runs of one size are merged when they meet, as digits carry in a binary
 * counter. These are the merges of a bottom-up merge sort, only at another time, and a half that
 * stays in the bucket is not sorted again. The bucket's least is kept: it is what insertions
 * compare with, and the first while the list is empty. When it leaves, the next least is among the
 * first nodes of the runs.
 *
 * Costs: insert O(n), into the bucket O(log n) amortised; first O(1); pop and remove O(1) from the
 * list, and from the bucket O(number of runs), at most HRLI_BUCKET_RUNS comparisons.
 *
 * All lists end at `end`; its key and link are scratch.
 */
enum { HRLI_BUCKET_RUNS = 12 }; /* the last takes what is more than 2^12 - 1 nodes, of any length */

struct hrli_bucket {
    struct hrli_queue_node *sorted; /* no node of the list is later than the bucket's least */
    struct hrli_queue_node *least;  /* the bucket's first, or `end` */
    struct hrli_queue_node end;
    unsigned used;                                  /* all runs from this one on are empty */
    struct hrli_queue_node *runs[HRLI_BUCKET_RUNS]; /* of at most 1, 2, 4, ... nodes, or `end` */
};

/* The spare word in use: the address of the pointer that points to the node. */
enum { HRLI_BUCKET_LINK };

/* Makes the queue empty. */
void hrli_bucket_init(struct hrli_bucket *bucket);

/* The node with the earliest key, or NULL. */
static inline struct hrli_queue_node *hrli_bucket_first(struct hrli_bucket *bucket)
{
    struct hrli_queue_node *first = bucket->sorted;

    if (first == &bucket->end) {
        first = bucket->least;
    }
    return first == &bucket->end ? NULL : first;
}

/* Finds the bucket's least anew, in O(number of runs). */
void hrli_bucket_find_least(struct hrli_bucket *bucket);

/* Takes `node` out, wherever it is. */
static inline void hrli_bucket_remove(struct hrli_bucket *bucket, struct hrli_queue_node *node)
{
    struct hrli_queue_node *next = node->next;

    *(struct hrli_queue_node **)(uintptr_t)node->spare[HRLI_BUCKET_LINK] = next;
    next->spare[HRLI_BUCKET_LINK] = node->spare[HRLI_BUCKET_LINK];
    if (node == bucket->least) {
        hrli_bucket_find_least(bucket);
    }
}

/* The first is taken out like any other. */
#define hrli_bucket_pop hrli_bucket_remove

/*
 * Puts in `node`, which has its key set. Interrupts may stay on: the caller makes sure that nothing
 * else touches the queue during the call. Returns whether it is now the first.
 */
bool hrli_bucket_insert(struct hrli_bucket *bucket, struct hrli_queue_node *node);

/* For kernel/assemble/queue_calls.h: the arrays of the queue `name`, and how it is made empty. */
#define HRLI_ARRAYS_bucket(name, nodes, slots, bits)
#define HRLI_INIT_bucket(name, nodes, slots, bits) hrli_bucket_init(&(name))

#endif
