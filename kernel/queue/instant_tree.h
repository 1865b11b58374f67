/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_INSTANT_TREE_H
#define HRLI_INSTANT_TREE_H

#include "queue_node.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * A balanced tree of the distinct instants of a sorted list: part of the calendar.
 *
 * In a list with equal keys, each run of equals is stood for by its last node, behind which the
 * next equal goes; the tree holds these. It answers the one question that an insertion into the
 * list has: behind which node? The list's links are not touched.
 *
 * It is an AVL tree. A link is a node's address with, in its two lowest bits, which of that node's
 * own subtrees is taller: so a node needs two words, `spare[0]` and `spare[1]`, the links to what
 * is before it and after it, and an insertion or removal goes down at most twice and never up. A
 * link is never 0, so that a node's `spare[1]` tells whether it is in a tree.
 *
 * Costs, m instants: at most 1.45 log2(m + 2) levels, each at most twice. No memory but the links,
 * no stack. Source: Adelson-Velskii and Landis (1962); going down twice instead of up is Knuth, The
 * Art of Computer Programming 3, algorithm 6.2.3 A; that removal can do the same, and taller-bits
 * in the link, are ours.
 */
typedef uintptr_t hrli_instant_link;

enum { HRLI_INSTANT_EARLIER, HRLI_INSTANT_LATER }; /* words of `spare` */

/* Low bits of a link; none of them is set in the address of a node. */
enum {
    HRLI_INSTANT_BITS = 3,
    HRLI_INSTANT_BALANCED = 1,
    HRLI_INSTANT_TALLER = 2 /* and the side that is: HRLI_INSTANT_EARLIER or _LATER */
};

/* The link of an empty tree. */
#define HRLI_INSTANT_NONE ((hrli_instant_link)HRLI_INSTANT_BALANCED)

/* The node that `link` leads to, or NULL. */
static inline struct hrli_queue_node *hrli_instant_node(hrli_instant_link link)
{
    return (struct hrli_queue_node *)(link & ~(hrli_instant_link)HRLI_INSTANT_BITS);
}

/* Makes a tree of three nodes with ascending keys. */
void hrli_instant_tree_of_three(hrli_instant_link *root, struct hrli_queue_node *first,
                                struct hrli_queue_node *second, struct hrli_queue_node *third);

/*
 * Puts `node` into the tree below `root`, instead of its equal if there is one, which leaves the
 * tree. Returns the node of the tree that it comes right behind, its equal if there was one; NULL
 * if all are later.
 */
struct hrli_queue_node *hrli_instant_tree_insert(hrli_instant_link *root,
                                                 struct hrli_queue_node *node);

/* Takes out the node with the earliest key, and returns it. The tree is not empty. */
struct hrli_queue_node *hrli_instant_tree_pop(hrli_instant_link *root);

/* Takes out `node`, which is in the tree below `root`. */
void hrli_instant_tree_remove(hrli_instant_link *root, struct hrli_queue_node *node);

/*
 * `heir`, which has the same key and is in no tree, stands in the tree for `node`, which leaves it.
 */
void hrli_instant_tree_replace(hrli_instant_link *root, struct hrli_queue_node *node,
                               struct hrli_queue_node *heir);

/*
 * The node furthest to `side`: HRLI_INSTANT_EARLIER for the first, _LATER for the last. Not empty.
 */
static inline struct hrli_queue_node *hrli_instant_tree_end(hrli_instant_link root, int side)
{
    struct hrli_queue_node *node = hrli_instant_node(root);
    struct hrli_queue_node *next;

    while ((next = hrli_instant_node(node->spare[side])) != NULL) {
        node = next;
    }
    return node;
}

#endif
