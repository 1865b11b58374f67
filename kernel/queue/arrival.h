/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_ARRIVAL_H
#define HRLI_ARRIVAL_H

#include "queue_node.h"
#include "stamp.h"
#include <stdbool.h>

/*
 * A total order of nodes for heaps, which forget the order in which equal keys came: by key, then
 * by a number that the queue gives out on insertion.
 *
 * The number has 64 bits, in two spare words of the node, so that it does not wrap: with 32 bits
 * FIFO would be lost when a node waits while 2^31 others come and go.
 */
enum { HRLI_ARRIVAL_LOW = 1, HRLI_ARRIVAL_HIGH = 2 }; /* in hrli_queue_node.spare */

/* Gives `node` the next number. */
static inline void hrli_arrival_note(uint64_t *arrivals, struct hrli_queue_node *node)
{
    uint64_t number = (*arrivals)++;

    node->spare[HRLI_ARRIVAL_LOW] = (uint32_t)number;
    node->spare[HRLI_ARRIVAL_HIGH] = (uint32_t)(number >> 32);
}

/* Whether `a` goes before `b`, which is another node. */
static inline bool hrli_arrival_before(const struct hrli_queue_node *a,
                                       const struct hrli_queue_node *b)
{
    if (a->key != b->key) {
        return hrli_stamp_after(b->key, a->key);
    }
    if (a->spare[HRLI_ARRIVAL_HIGH] != b->spare[HRLI_ARRIVAL_HIGH]) {
        return a->spare[HRLI_ARRIVAL_HIGH] < b->spare[HRLI_ARRIVAL_HIGH];
    }
    return a->spare[HRLI_ARRIVAL_LOW] < b->spare[HRLI_ARRIVAL_LOW];
}

#endif
