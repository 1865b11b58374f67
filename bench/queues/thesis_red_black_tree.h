/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_THESIS_RED_BLACK_TREE_H
#define BENCH_THESIS_RED_BLACK_TREE_H

#include "queue_node.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * For benches only: the red-black tree of the thesis on task dispatching, appendix A.3, algorithms 5 to
 * 7 to the letter. It removes nothing but the first, for which it searches each time, and it mends
 * a removal with the procedure that mends an insertion.
 *
 * Order is right and equals are first come, first out (they go to the right). But the thesis' claim that
 * this procedure suffices is not: taking out a black leaf leaves one path a black node short, which
 * nothing mends, so that after one removal the tree may be no red-black tree (tests/unit/bench). It stays
 * about as low as one in practice, but first and pop have no proven bound, which the kernel's contract
 * asks for.
 */
struct bench_thesis_red_black_tree {
    struct hrli_queue_node *root;
};

/* `next` is the left child, `previous` the right one, NULL where there is none. The spare words: */
enum { BENCH_THESIS_RED_BLACK_TREE_PARENT, BENCH_THESIS_RED_BLACK_TREE_COLOUR };

enum { BENCH_THESIS_RED_BLACK_TREE_BLACK, BENCH_THESIS_RED_BLACK_TREE_RED };

/* Makes the tree empty. */
void bench_thesis_red_black_tree_init(struct bench_thesis_red_black_tree *tree);

/* The node with the earliest key, or NULL. */
struct hrli_queue_node *
bench_thesis_red_black_tree_first(const struct bench_thesis_red_black_tree *tree);

/* Takes out the first. */
void bench_thesis_red_black_tree_pop(struct bench_thesis_red_black_tree *tree);

/* Puts in `node`, which has its key set. Returns whether it is now the first. */
bool bench_thesis_red_black_tree_insert(struct bench_thesis_red_black_tree *tree,
                                        struct hrli_queue_node *node);

#endif
