/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_INSTANT_SET_H
#define HRLI_INSTANT_SET_H

#include "instant_tree.h"

/*
 * A set of the distinct instants of a sorted list, each known by the last node of its run of
 * equals: part of the calendar, which has one for each slot.
 *
 * Up to three instants are a chain, the last first; from four on they are a tree (instant_tree.h),
 * until the set is empty again. So a set is one word: 0 when it is empty; the address of the
 * chain's last node, which has in spare[HRLI_INSTANT_EARLIER] the node before it, or 0; or the link
 * to a tree's root, in which a low bit is set. spare[HRLI_INSTANT_LATER] of a node in a chain is 0.
 *
 * Costs: O(1) as a chain, O(log m) as a tree of m instants.
 */

static inline bool hrli_instant_set_is_tree(hrli_instant_link set)
{
    return (set & HRLI_INSTANT_BITS) != 0;
}

/* `node` is in a chain, behind `before`, which may be 0. */
static inline void hrli_instant_set_chain(struct hrli_queue_node *node, hrli_instant_link before)
{
    node->spare[HRLI_INSTANT_EARLIER] = before;
    node->spare[HRLI_INSTANT_LATER] = 0;
}

/* The last node of a set, which is not empty. */
static inline struct hrli_queue_node *hrli_instant_set_last(hrli_instant_link set)
{
    return hrli_instant_set_is_tree(set) ? hrli_instant_tree_end(set, HRLI_INSTANT_LATER)
                                         : (struct hrli_queue_node *)set;
}

/* The first node of a set, which is not empty. */
struct hrli_queue_node *hrli_instant_set_first(hrli_instant_link set);

/* Takes the first node out of a set, which is not empty, and returns it. */
struct hrli_queue_node *hrli_instant_set_pop(hrli_instant_link *set);

/*
 * Puts `node` into a set, which is not empty, instead of its equal if there is one. Returns the
 * node of the set that it comes right behind, its equal if there was one; NULL if all are later.
 */
struct hrli_queue_node *hrli_instant_set_insert(hrli_instant_link *set,
                                                struct hrli_queue_node *node);

/*
 * Takes `node` out of a set. `heir`, unless it is NULL, has the same key, is in no set, and stands
 * for the instant from now on.
 */
void hrli_instant_set_remove(hrli_instant_link *set, struct hrli_queue_node *node,
                             struct hrli_queue_node *heir);

#endif
