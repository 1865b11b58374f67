/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_TREE_234_H
#define HRLI_TREE_234_H

#include "queue_node.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Delay queue: a 2-3-4 tree, that is a B-tree of order 4.
 *
 * The contract is README.md's. Costs: first O(1); everything else O(log n), at most log2(n + 1)
 * tree nodes (10 for 1,500); also pop, which runs with interrupts off: it has no search, and goes
 * up only as far as tree nodes become empty. Source: the thesis on task dispatching, section 4.1,
 * which had to leave it out for its memory; Cormen, Leiserson, Rivest and Stein, Introduction to
 * Algorithms, chapter 18.
 *
 * A delay queue's node is called item here. Insertion goes down once and splits what is full on its
 * way; removal takes an item from a leaf and goes up. Tree nodes come from an array given at the
 * start. Since every tree node holds an item at least, and the root stays when the tree is empty,
 *
 *     HRLI_TREE_234_NODES(n) = max(n, 1)
 *
 * tree nodes are enough for n items. (There may be one for each item: three in a tree that had
 * four.) To insert more than n is a programming error.
 *
 * Splitting keeps the left part in its place, merging too; so the leftmost leaf is the same one for
 * ever: the first of the array.
 */
#define HRLI_TREE_234_NODES(capacity) ((capacity) > 0 ? (capacity) : 1)

enum { HRLI_TREE_234_ITEMS = 3 };

struct hrli_tree_234_node {
    struct hrli_tree_234_node *parent; /* of an unused one: the next unused */
    unsigned count;                    /* items */
    struct hrli_queue_node *items[HRLI_TREE_234_ITEMS];
    struct hrli_tree_234_node *children[HRLI_TREE_234_ITEMS + 1]; /* the first NULL: a leaf */
};

struct hrli_tree_234 {
    struct hrli_tree_234_node *leftmost;
    struct hrli_tree_234_node *root;
    struct hrli_tree_234_node *unused;
};

/* The spare word in use: the tree node that the item is in. */
enum { HRLI_TREE_234_HOME };

/* Makes the tree empty. It keeps `nodes`, which are HRLI_TREE_234_NODES(capacity). */
void hrli_tree_234_init(struct hrli_tree_234 *tree, struct hrli_tree_234_node *nodes,
                        size_t capacity);

/* The item with the earliest key, or NULL. */
static inline struct hrli_queue_node *hrli_tree_234_first(struct hrli_tree_234 *tree)
{
    const struct hrli_tree_234_node *leaf = tree->leftmost;
    return leaf->count == 0 ? NULL : leaf->items[0];
}

/* Takes out the first. */
void hrli_tree_234_pop(struct hrli_tree_234 *tree, struct hrli_queue_node *first);

/* Takes `item`, which must be in the tree, out of it. */
void hrli_tree_234_remove(struct hrli_tree_234 *tree, struct hrli_queue_node *item);

/*
 * Puts `item`, which has its key set, behind all items that are not later. Interrupts may stay on:
 * the caller makes sure that nothing else touches the tree during the call. Returns whether it is
 * now the first.
 */
bool hrli_tree_234_insert(struct hrli_tree_234 *tree, struct hrli_queue_node *item);

/* For kernel/assemble/queue_calls.h: the arrays of the queue `name`, and how it is made empty. */
#define HRLI_ARRAYS_tree_234(name, nodes, slots, bits)                                             \
    static struct hrli_tree_234_node name##_nodes[HRLI_TREE_234_NODES(nodes)];
#define HRLI_INIT_tree_234(name, nodes, slots, bits)                                               \
    hrli_tree_234_init(&(name), name##_nodes, nodes)

#endif
