/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_BINARY_TREE_H
#define HRLI_BINARY_TREE_H

#include "queue_node.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Delay queue: a plain binary search tree, never balanced.
 *
 * The contract is README.md's. Costs: insert O(height), which is O(log n) on average and O(n) when
 * keys come in order; everything else O(1). Source: the thesis on task dispatching, sections 4.1
 * and 4.2.4.
 *
 * Two things differ from there. Nodes know their parent, for removal in the middle. And `next` and
 * `previous` chain the nodes in the tree's order: without that, `pop` would look for the next first
 * node down a branch that may be n nodes long, with interrupts off. The chain also gives removal
 * the successor of a node at once.
 *
 * The chain is a ring through `head`; the tree is the left branch of `head`; the key of `head` is
 * scratch. Equals go to the right.
 */
struct hrli_binary_tree {
    struct hrli_queue_node head;
};

/* A node's spare words: three nodes; NULL where there is no child. */
enum { HRLI_BINARY_TREE_LEFT, HRLI_BINARY_TREE_RIGHT, HRLI_BINARY_TREE_PARENT };

/* Makes the tree empty. */
static inline void hrli_binary_tree_init(struct hrli_binary_tree *tree)
{
    tree->head.next = &tree->head;
    tree->head.previous = &tree->head;
    tree->head.spare[HRLI_BINARY_TREE_LEFT] = (uintptr_t)NULL;
}

/* The node with the earliest key, or NULL. */
static inline struct hrli_queue_node *hrli_binary_tree_first(struct hrli_binary_tree *tree)
{
    struct hrli_queue_node *first = tree->head.next;
    return first == &tree->head ? NULL : first;
}

/* Takes out the first. It has no left child and is a left child, if only of `head`. */
static inline void hrli_binary_tree_pop(struct hrli_binary_tree *tree,
                                        struct hrli_queue_node *first)
{
    struct hrli_queue_node *next = first->next;
    struct hrli_queue_node *right =
        (struct hrli_queue_node *)(uintptr_t)first->spare[HRLI_BINARY_TREE_RIGHT];
    uintptr_t parent = first->spare[HRLI_BINARY_TREE_PARENT];

    tree->head.next = next;
    next->previous = &tree->head;
    ((struct hrli_queue_node *)parent)->spare[HRLI_BINARY_TREE_LEFT] = (uintptr_t)right;
    if (right != NULL) {
        right->spare[HRLI_BINARY_TREE_PARENT] = parent;
    }
}

/* Takes `node`, which must be in a tree, out of it. */
void hrli_binary_tree_remove(struct hrli_binary_tree *tree, struct hrli_queue_node *node);

/*
 * Puts `node`, which has its key set, behind all nodes that are not later. Interrupts may stay on:
 * the caller makes sure that nothing else touches the tree during the call. Returns whether it is
 * now the first.
 */
bool hrli_binary_tree_insert(struct hrli_binary_tree *tree, struct hrli_queue_node *node);

/* For kernel/assemble/queue_calls.h: the arrays of the queue `name`, and how it is made empty. */
#define HRLI_ARRAYS_binary_tree(name, nodes, slots, bits)
#define HRLI_INIT_binary_tree(name, nodes, slots, bits) hrli_binary_tree_init(&(name))

#endif
