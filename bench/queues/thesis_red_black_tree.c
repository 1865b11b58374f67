/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "thesis_red_black_tree.h"
#include "stamp.h"

enum {
    PARENT = BENCH_THESIS_RED_BLACK_TREE_PARENT,
    COLOUR = BENCH_THESIS_RED_BLACK_TREE_COLOUR,
    BLACK = BENCH_THESIS_RED_BLACK_TREE_BLACK,
    RED = BENCH_THESIS_RED_BLACK_TREE_RED
};

static inline struct hrli_queue_node *parent_of(const struct hrli_queue_node *node)
{
    return (struct hrli_queue_node *)node->spare[PARENT];
}

static inline void set_parent(struct hrli_queue_node *node, struct hrli_queue_node *parent)
{
    node->spare[PARENT] = (uintptr_t)parent;
}

static inline bool is_red(const struct hrli_queue_node *node)
{
    return node != NULL && node->spare[COLOUR] == RED;
}

void bench_thesis_red_black_tree_init(struct bench_thesis_red_black_tree *tree)
{
    tree->root = NULL;
}

/* Puts `branch`, which may be NULL, where `node` hangs. */
static void replace(struct bench_thesis_red_black_tree *tree, const struct hrli_queue_node *node,
                    struct hrli_queue_node *branch)
{
    struct hrli_queue_node *parent = parent_of(node);

    if (branch != NULL) {
        set_parent(branch, parent);
    }
    if (parent == NULL) {
        tree->root = branch;
    } else if (parent->next == node) {
        parent->next = branch;
    } else {
        parent->previous = branch;
    }
}

/* Algorithm 5. */
static void rotate_left(struct bench_thesis_red_black_tree *tree, struct hrli_queue_node *node)
{
    struct hrli_queue_node *up = node->previous;

    node->previous = up->next;
    if (up->next != NULL) {
        set_parent(up->next, node);
    }
    replace(tree, node, up);
    up->next = node;
    set_parent(node, up);
}

/* Algorithm 5, but to the right. */
static void rotate_right(struct bench_thesis_red_black_tree *tree, struct hrli_queue_node *node)
{
    struct hrli_queue_node *up = node->next;

    node->next = up->previous;
    if (up->previous != NULL) {
        set_parent(up->previous, node);
    }
    replace(tree, node, up);
    up->previous = node;
    set_parent(node, up);
}

/* Algorithm 6. */
static void fix_up(struct bench_thesis_red_black_tree *tree, struct hrli_queue_node *node)
{
    struct hrli_queue_node *parent;

    while (is_red(parent = parent_of(node))) {
        struct hrli_queue_node *grand = parent_of(parent);
        bool left = grand->next == parent;
        struct hrli_queue_node *uncle = left ? grand->previous : grand->next;

        if (is_red(uncle)) {
            parent->spare[COLOUR] = BLACK;
            uncle->spare[COLOUR] = BLACK;
            grand->spare[COLOUR] = RED;
            node = grand;
        } else if (left) {
            if (parent->previous == node) {
                node = parent;
                rotate_left(tree, node);
            }
            parent_of(node)->spare[COLOUR] = BLACK;
            grand->spare[COLOUR] = RED;
            rotate_right(tree, grand);
        } else {
            if (parent->next == node) {
                node = parent;
                rotate_right(tree, node);
            }
            parent_of(node)->spare[COLOUR] = BLACK;
            grand->spare[COLOUR] = RED;
            rotate_left(tree, grand);
        }
    }
    tree->root->spare[COLOUR] = BLACK;
}

struct hrli_queue_node *
bench_thesis_red_black_tree_first(const struct bench_thesis_red_black_tree *tree)
{
    struct hrli_queue_node *node = tree->root;

    if (node != NULL) {
        while (node->next != NULL) {
            node = node->next;
        }
    }
    return node;
}

/* Algorithm 7. */
void bench_thesis_red_black_tree_pop(struct bench_thesis_red_black_tree *tree)
{
    const struct hrli_queue_node *first = bench_thesis_red_black_tree_first(tree);
    struct hrli_queue_node *right = first->previous;

    replace(tree, first, right);
    if (right != NULL) {
        fix_up(tree, right);
    }
}

bool bench_thesis_red_black_tree_insert(struct bench_thesis_red_black_tree *tree,
                                        struct hrli_queue_node *node)
{
    struct hrli_queue_node *parent = NULL;
    struct hrli_queue_node *below = tree->root;
    struct hrli_queue_node **link = &tree->root;
    bool is_first = true;

    while (below != NULL) {
        parent = below;
        if (hrli_stamp_after(below->key, node->key)) {
            link = &below->next;
        } else {
            link = &below->previous;
            is_first = false;
        }
        below = *link;
    }
    *link = node;
    node->next = NULL;
    node->previous = NULL;
    set_parent(node, parent);
    node->spare[COLOUR] = RED;
    fix_up(tree, node);
    return is_first;
}
