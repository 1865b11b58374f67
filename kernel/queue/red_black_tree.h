/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_RED_BLACK_TREE_H
#define HRLI_RED_BLACK_TREE_H

#include "queue_node.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Delay queue: a red-black tree that knows its first node.
 *
 * The contract is README.md's. Costs: first O(1); everything else O(log n), a path of at most
 * 2 log2(n + 1) nodes (21 for 1,500); also pop, which runs with interrupts off: it has no search,
 * and goes up only as far as black nodes are missing, which is O(1) on average. Source: Cormen,
 * Leiserson, Rivest and Stein, Introduction to Algorithms, chapter 13; the thesis on task
 * dispatching, section 4.2.6; its tree of appendix A.3 removes nothing but the first
 * (bench/queues).
 *
 * The tree is the left branch of `head`, which also stands for every missing node: it is black.
 * Equals go to the right. No node but the first's right child needs to be looked at to find the
 * next first: if there is one, it is red and alone.
 */
struct hrli_red_black_tree {
    struct hrli_queue_node head;   /* its key and parent are scratch */
    struct hrli_queue_node *first; /* or `head` */
};

/* `next` is the left child, `previous` the right one. The spare words: */
enum { HRLI_RED_BLACK_TREE_PARENT, HRLI_RED_BLACK_TREE_COLOUR };

enum { HRLI_RED_BLACK_TREE_BLACK, HRLI_RED_BLACK_TREE_RED };

/* Makes the tree empty. */
static inline void hrli_red_black_tree_init(struct hrli_red_black_tree *tree)
{
    tree->head.next = &tree->head;
    tree->head.previous = &tree->head;
    tree->head.spare[HRLI_RED_BLACK_TREE_COLOUR] = HRLI_RED_BLACK_TREE_BLACK;
    tree->first = &tree->head;
}

/* The node with the earliest key, or NULL. */
static inline struct hrli_queue_node *hrli_red_black_tree_first(struct hrli_red_black_tree *tree)
{
    struct hrli_queue_node *first = tree->first;
    return first == &tree->head ? NULL : first;
}

/* Takes out the first. */
void hrli_red_black_tree_pop(struct hrli_red_black_tree *tree, struct hrli_queue_node *first);

/* Takes `node`, which must be in the tree, out of it. */
void hrli_red_black_tree_remove(struct hrli_red_black_tree *tree, struct hrli_queue_node *node);

/*
 * Puts `node`, which has its key set, behind all nodes that are not later. Interrupts may stay on:
 * the caller makes sure that nothing else touches the tree during the call. Returns whether it is
 * now the first.
 */
bool hrli_red_black_tree_insert(struct hrli_red_black_tree *tree, struct hrli_queue_node *node);

/* For kernel/assemble/queue_calls.h: the arrays of the queue `name`, and how it is made empty. */
#define HRLI_ARRAYS_red_black_tree(name, nodes, slots, bits)
#define HRLI_INIT_red_black_tree(name, nodes, slots, bits) hrli_red_black_tree_init(&(name))

#endif
