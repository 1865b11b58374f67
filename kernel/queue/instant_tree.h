/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_INSTANT_TREE_H
#define HRLI_INSTANT_TREE_H

#include "queue_node.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A balanced tree of instants, each in it by one node: part of the calendar.
 *
 * It is an AVL tree. A node's three spare words are the roots of what is before it and after it, or
 * 0, and its place: its parent's address with, in the two lowest bits, which of its own subtrees is
 * taller. With the parent there, an insertion that knows its leaf, and a removal, only go up as far
 * as heights change, which is less than two levels on average; and the first node leaves without a
 * search. The tree's own `struct hrli_queue_node` stands in for the root's parent: only its spare
 * words are used, and the whole tree is on its earlier side.
 *
 * Costs, m instants: at most 1.45 log2(m + 2) levels up or down. No memory but the nodes, no stack.
 * Source: Adelson-Velskii and Landis (1962); Knuth, The Art of Computer Programming 3, 6.2.3.
 */
enum { HRLI_INSTANT_EARLIER, HRLI_INSTANT_LATER, HRLI_INSTANT_PLACE }; /* words of `spare` */

/*
 * Bits of a place, 0 if both subtrees are as tall; none of them is set in the address of a node: the lowest, or, where
 * addresses are of bytes and shorter than the word, some above them.
 */
enum {
    HRLI_INSTANT_EARLIER_TALLER = UINTPTR_MAX < UINT32_MAX ? 0x10000L : 1,
    HRLI_INSTANT_LATER_TALLER = 2 * HRLI_INSTANT_EARLIER_TALLER,
    HRLI_INSTANT_BITS = 3 * HRLI_INSTANT_EARLIER_TALLER /* the place of the tree's own */
};

/* Makes the tree empty. */
static inline void hrli_instant_tree_init(struct hrli_queue_node *tree)
{
    tree->spare[HRLI_INSTANT_EARLIER] = 0;
    tree->spare[HRLI_INSTANT_LATER] = 0;
    tree->spare[HRLI_INSTANT_PLACE] = HRLI_INSTANT_BITS;
}

/* The root of what is on `side` of `node`, or NULL; of the tree's own, on the earlier side, of all. */
static inline struct hrli_queue_node *hrli_instant_below(const struct hrli_queue_node *node,
                                                         int side)
{
    return (struct hrli_queue_node *)(uintptr_t)node->spare[side];
}

/* The node above `node`, or the tree's own. */
static inline struct hrli_queue_node *hrli_instant_above(const struct hrli_queue_node *node)
{
    return (struct hrli_queue_node *)(uintptr_t)(node->spare[HRLI_INSTANT_PLACE] &
                                                 ~(hrli_spare)HRLI_INSTANT_BITS);
}

/*
 * Puts `node` into the tree as the leaf on `side` of `above`, which has nothing there and of which
 * it is the neighbour in order.
 */
void hrli_instant_tree_insert(struct hrli_queue_node *above, int side,
                              struct hrli_queue_node *node);

/* Takes out `node`, which is in a tree. */
void hrli_instant_tree_remove(struct hrli_queue_node *node);

/* As remove, for a node that has nothing before it: what is below it is one node at most. */
void hrli_instant_tree_remove_first(struct hrli_queue_node *first);

/* `heir`, which has the same key and is in no tree, stands for `node`, which leaves its tree. */
void hrli_instant_tree_replace(struct hrli_queue_node *node, struct hrli_queue_node *heir);

#endif
