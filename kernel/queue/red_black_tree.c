/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "red_black_tree.h"
#include "stamp.h"

/*
 * What has a left and a right form is written once, over a `side` that is a constant where it is
 * inlined.
 */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum side { LEFT, RIGHT };

enum {
    PARENT = HRLI_RED_BLACK_TREE_PARENT,
    COLOUR = HRLI_RED_BLACK_TREE_COLOUR,
    BLACK = HRLI_RED_BLACK_TREE_BLACK,
    RED = HRLI_RED_BLACK_TREE_RED
};

ALWAYS_INLINE struct hrli_queue_node **child(struct hrli_queue_node *node, enum side side)
{
    return side == LEFT ? &node->next : &node->previous;
}

ALWAYS_INLINE enum side opposite(enum side side)
{
    return side == LEFT ? RIGHT : LEFT;
}

ALWAYS_INLINE struct hrli_queue_node *parent_of(const struct hrli_queue_node *node)
{
    return (struct hrli_queue_node *)(uintptr_t)node->spare[PARENT];
}

ALWAYS_INLINE bool is_red(const struct hrli_queue_node *node)
{
    return node->spare[COLOUR] == RED;
}

/* Hangs `branch` under `parent`; it may be the missing node: its parent is never read. */
ALWAYS_INLINE void hang(struct hrli_queue_node *parent, enum side side,
                        struct hrli_queue_node *branch)
{
    *child(parent, side) = branch;
    branch->spare[PARENT] = (uintptr_t)parent;
}

/* Puts `branch` where `node` hangs. */
ALWAYS_INLINE void replace(const struct hrli_queue_node *node, struct hrli_queue_node *branch)
{
    struct hrli_queue_node *parent = parent_of(node);

    if (*child(parent, LEFT) == node) {
        hang(parent, LEFT, branch);
    } else {
        hang(parent, RIGHT, branch);
    }
}

/* `node` goes down to `side`, its child on the other side takes its place. */
ALWAYS_INLINE void rotate(struct hrli_queue_node *node, enum side side)
{
    struct hrli_queue_node *up = *child(node, opposite(side));

    replace(node, up);
    hang(node, opposite(side), *child(up, side));
    hang(up, side, node);
}

/*
 * `node` and its parent, the `side` child of `grand`, are red. Returns the node that is red now and
 * may have a red parent.
 */
ALWAYS_INLINE struct hrli_queue_node *part_reds(struct hrli_queue_node *node,
                                                struct hrli_queue_node *parent,
                                                struct hrli_queue_node *grand, enum side side)
{
    struct hrli_queue_node *uncle = *child(grand, opposite(side));

    grand->spare[COLOUR] = RED;
    if (is_red(uncle)) {
        uncle->spare[COLOUR] = BLACK;
        parent->spare[COLOUR] = BLACK;
        return grand;
    }
    if (*child(parent, opposite(side)) == node) {
        rotate(parent, side);
        parent = node;
    }
    parent->spare[COLOUR] = BLACK;
    rotate(grand, opposite(side));
    return grand;
}

/* `node` is red and new, the rest is a red-black tree. */
static void balance_after_insert(struct hrli_red_black_tree *tree, struct hrli_queue_node *node)
{
    struct hrli_queue_node *parent = parent_of(node);

    while (is_red(parent)) {
        struct hrli_queue_node *grand = parent_of(parent);
        if (*child(grand, LEFT) == parent) {
            node = part_reds(node, parent, grand, LEFT);
        } else {
            node = part_reds(node, parent, grand, RIGHT);
        }
        parent = parent_of(node);
    }
    (*child(&tree->head, LEFT))->spare[COLOUR] = BLACK;
}

bool hrli_red_black_tree_insert(struct hrli_red_black_tree *tree, struct hrli_queue_node *node)
{
    struct hrli_queue_node *missing = &tree->head;
    struct hrli_queue_node *below = &tree->head;
    struct hrli_queue_node *parent;
    hrl_stamp key = node->key;
    bool is_first = false;

    tree->head.key = hrli_stamp_horizon(key); /* all is left of it */
    do {
        parent = below;
        below = *child(parent, hrli_stamp_after(parent->key, key) ? LEFT : RIGHT);
    } while (below != missing);
    *child(node, LEFT) = missing;
    *child(node, RIGHT) = missing;
    node->spare[COLOUR] = RED;
    if (hrli_stamp_after(parent->key, key)) {
        hang(parent, LEFT, node);
        is_first = parent == tree->first;
    } else {
        hang(parent, RIGHT, node);
    }
    if (is_first) {
        tree->first = node;
    }
    balance_after_insert(tree, node);
    return is_first;
}

/*
 * Below `parent` on `side` each path has one black node too few. Returns whether this is mended; if
 * not, the same now holds for the paths through `parent`.
 */
ALWAYS_INLINE bool fill_up(struct hrli_queue_node *parent, enum side side)
{
    struct hrli_queue_node *sibling = *child(parent, opposite(side));
    struct hrli_queue_node *outer;

    if (is_red(sibling)) {
        sibling->spare[COLOUR] = BLACK;
        parent->spare[COLOUR] = RED;
        rotate(parent, side);
        sibling = *child(parent, opposite(side));
    }
    outer = *child(sibling, opposite(side));
    if (!is_red(outer)) {
        struct hrli_queue_node *inner = *child(sibling, side);
        bool parent_was_red = is_red(parent);

        sibling->spare[COLOUR] = RED;
        if (!is_red(inner)) {
            parent->spare[COLOUR] = BLACK;
            return parent_was_red;
        }
        rotate(sibling, opposite(side));
        outer = sibling;
        sibling = inner;
    }
    sibling->spare[COLOUR] = parent->spare[COLOUR];
    parent->spare[COLOUR] = BLACK;
    outer->spare[COLOUR] = BLACK;
    rotate(parent, side);
    return true;
}

/* A black node without children was taken out of `parent`'s `side`. */
static void balance_after_removal(const struct hrli_red_black_tree *tree,
                                  struct hrli_queue_node *parent, enum side side)
{
    while (parent != &tree->head) {
        const struct hrli_queue_node *node = parent;
        if (side == LEFT ? fill_up(parent, LEFT) : fill_up(parent, RIGHT)) {
            return;
        }
        parent = parent_of(node);
        side = *child(parent, LEFT) == node ? LEFT : RIGHT;
    }
}

void hrli_red_black_tree_pop(struct hrli_red_black_tree *tree, struct hrli_queue_node *first)
{
    struct hrli_queue_node *parent = parent_of(first);
    struct hrli_queue_node *right = *child(first, RIGHT);

    if (right != &tree->head) { /* red, under a black node */
        hang(parent, LEFT, right);
        right->spare[COLOUR] = BLACK;
        tree->first = right;
        return;
    }
    *child(parent, LEFT) = right;
    tree->first = parent;
    if (!is_red(first)) {
        balance_after_removal(tree, parent, LEFT);
    }
}

/* Takes out `node`, which has at most one child. */
static void remove_at_end(struct hrli_red_black_tree *tree, const struct hrli_queue_node *node,
                          struct hrli_queue_node *only_child)
{
    struct hrli_queue_node *parent = parent_of(node);
    enum side side = *child(parent, LEFT) == node ? LEFT : RIGHT;

    *child(parent, side) = only_child;
    if (only_child != &tree->head) { /* red, under a black node */
        only_child->spare[PARENT] = (uintptr_t)parent;
        only_child->spare[COLOUR] = BLACK;
    } else if (!is_red(node)) {
        balance_after_removal(tree, parent, side);
    }
}

void hrli_red_black_tree_remove(struct hrli_red_black_tree *tree, struct hrli_queue_node *node)
{
    struct hrli_queue_node *missing = &tree->head;
    struct hrli_queue_node *left = *child(node, LEFT);
    struct hrli_queue_node *right = *child(node, RIGHT);

    if (node == tree->first) {
        hrli_red_black_tree_pop(tree, node);
    } else if (left == missing) {
        remove_at_end(tree, node, right);
    } else if (right == missing) {
        remove_at_end(tree, node, left);
    } else { /* the next one, which has no left child, leaves its place and takes the node's */
        struct hrli_queue_node *successor = right;
        while (*child(successor, LEFT) != missing) {
            successor = *child(successor, LEFT);
        }
        remove_at_end(tree, successor, *child(successor, RIGHT));
        successor->spare[COLOUR] = node->spare[COLOUR];
        hang(successor, LEFT, *child(node, LEFT)); /* not what they were: the tree was balanced */
        hang(successor, RIGHT, *child(node, RIGHT));
        replace(node, successor);
    }
}
