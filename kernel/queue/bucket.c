/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bucket.h"
#include "stamp.h"

/* Makes `link`, a list's pointer or a node's `next`, point to `node`. */
static inline void link_to(struct hrli_queue_node **link, struct hrli_queue_node *node)
{
    *link = node;
    node->spare[HRLI_BUCKET_LINK] = (uintptr_t)link;
}

void hrli_bucket_init(struct hrli_bucket *bucket)
{
    bucket->sorted = &bucket->end;
    bucket->least = &bucket->end;
    bucket->used = 0;
    for (unsigned level = 0; level < HRLI_BUCKET_RUNS; level++) {
        bucket->runs[level] = &bucket->end;
    }
}

void hrli_bucket_find_least(struct hrli_bucket *bucket)
{
    struct hrli_queue_node *end = &bucket->end;
    struct hrli_queue_node *least = end;

    while (bucket->used > 0 && bucket->runs[bucket->used - 1] == end) {
        bucket->used--;
    }
    for (unsigned level = bucket->used; level-- > 0;) { /* from the oldest: it wins among equals */
        struct hrli_queue_node *run = bucket->runs[level];
        if (run != end && (least == end || hrli_stamp_after(least->key, run->key))) {
            least = run;
        }
    }
    bucket->least = least;
}

/*
 * Merges two sorted lists, of which at most one is empty, into one at `link`. Among equals those of
 * `older` go first.
 */
static void merge(const struct hrli_queue_node *end, struct hrli_queue_node *older,
                  struct hrli_queue_node *newer, struct hrli_queue_node **link)
{
    while (older != end && newer != end) {
        if (hrli_stamp_after(older->key, newer->key)) {
            link_to(link, newer);
            link = &newer->next;
            newer = newer->next;
        } else {
            link_to(link, older);
            link = &older->next;
            older = older->next;
        }
    }
    link_to(link, older != end ? older : newer);
}

/* Puts `node`, which is not earlier than the bucket's least, into the bucket. */
static void add_to_runs(struct hrli_bucket *bucket, struct hrli_queue_node *node)
{
    struct hrli_queue_node *end = &bucket->end;
    struct hrli_queue_node *run = node;
    unsigned level = 0;

    node->next = end;
    while (level < HRLI_BUCKET_RUNS && bucket->runs[level] != end) {
        merge(end, bucket->runs[level], run, &run);
        bucket->runs[level] = end;
        level++;
    }
    if (level == HRLI_BUCKET_RUNS) {
        level--;
    }
    if (level >= bucket->used) {
        bucket->used = level + 1;
    }
    link_to(&bucket->runs[level], run);
    if (bucket->least == end) {
        bucket->least = node;
    }
}

/* The last node of the earlier half of a list of at least two. */
static struct hrli_queue_node *end_of_half(struct hrli_queue_node *list,
                                           const struct hrli_queue_node *end)
{
    struct hrli_queue_node *half = list;
    struct hrli_queue_node *twice = list->next->next;

    while (twice != end && twice->next != end) {
        half = half->next;
        twice = twice->next->next;
    }
    return half;
}

/*
 * The thesis' algorithm 4: sorts the bucket, of at least two nodes, and moves its earlier half to
 * the list, which is empty. Those that stay and are equal to the last that goes need not follow it,
 * as they do there: they are younger.
 */
static void refill(struct hrli_bucket *bucket)
{
    struct hrli_queue_node *end = &bucket->end;
    struct hrli_queue_node *all = end;
    struct hrli_queue_node *half;

    for (unsigned level = 0; level < bucket->used; level++) {
        if (bucket->runs[level] != end) {
            merge(end, bucket->runs[level], all, &all);
            bucket->runs[level] = end;
        }
    }
    half = end_of_half(all, end);
    bucket->least = half->next;
    link_to(&bucket->runs[bucket->used - 1], half->next); /* half of all never is too long for it */
    half->next = end;
    link_to(&bucket->sorted, all);
}

/*
 * Puts `node` to its place in the sorted list, but not at its end if the bucket is empty and thus
 * could take it. Returns whether it is in.
 */
static bool insert_sorted(struct hrli_bucket *bucket, struct hrli_queue_node *node)
{
    struct hrli_queue_node **link = &bucket->sorted;
    struct hrli_queue_node *after = bucket->sorted;
    hrl_stamp key = node->key;

    bucket->end.key = hrli_stamp_horizon(key); /* ends every walk */
    while (!hrli_stamp_branch_after(after->key, key)) {
        link = &after->next;
        after = after->next;
    }
    if (after == &bucket->end && bucket->least == &bucket->end) {
        return false;
    }
    link_to(link, node);
    link_to(&node->next, after);
    return true;
}

bool hrli_bucket_insert(struct hrli_bucket *bucket, struct hrli_queue_node *node)
{
    struct hrli_queue_node *least = bucket->least;

    if (least == &bucket->end || hrli_stamp_after(least->key, node->key)) {
        if (insert_sorted(bucket, node)) {
            return bucket->sorted == node;
        }
    }
    add_to_runs(bucket, node);
    if (bucket->sorted == &bucket->end) {
        if (least == &bucket->end) {
            return true;
        }
        refill(bucket);
    }
    return false;
}
