/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "binary_tree.h"
#include "stamp.h"

enum {
    LEFT = HRLI_BINARY_TREE_LEFT,
    RIGHT = HRLI_BINARY_TREE_RIGHT,
    PARENT = HRLI_BINARY_TREE_PARENT
};

static inline struct hrli_queue_node *get(const struct hrli_queue_node *node, int which)
{
    return (struct hrli_queue_node *)(uintptr_t)node->spare[which];
}

static inline void set(struct hrli_queue_node *node, int which, struct hrli_queue_node *to)
{
    node->spare[which] = (uintptr_t)to;
}

/* Hangs `branch`, which is not NULL, under `parent`. */
static inline void hang(struct hrli_queue_node *parent, int side, struct hrli_queue_node *branch)
{
    set(parent, side, branch);
    set(branch, PARENT, parent);
}

bool hrli_binary_tree_insert(struct hrli_binary_tree *tree, struct hrli_queue_node *node)
{
    struct hrli_queue_node *below = &tree->head;
    struct hrli_queue_node *parent;
    struct hrli_queue_node *after; /* in the chain */
    hrl_stamp key = node->key;

    tree->head.key = hrli_stamp_horizon(key); /* all is left of it */
    do {
        parent = below;
        below = hrli_stamp_after(parent->key, key) ? get(parent, LEFT) : get(parent, RIGHT);
    } while (below != NULL);
    set(node, LEFT, NULL);
    set(node, RIGHT, NULL);
    if (hrli_stamp_after(parent->key, key)) {
        hang(parent, LEFT, node);
        after = parent;
    } else {
        hang(parent, RIGHT, node);
        after = parent->next;
    }
    node->next = after;
    node->previous = after->previous;
    after->previous->next = node;
    after->previous = node;
    return tree->head.next == node;
}

/* Puts `branch`, which may be NULL, where `node` hangs. */
static void replace(const struct hrli_queue_node *node, struct hrli_queue_node *branch)
{
    struct hrli_queue_node *parent = get(node, PARENT);

    set(parent, get(parent, LEFT) == node ? LEFT : RIGHT, branch);
    if (branch != NULL) {
        set(branch, PARENT, parent);
    }
}

void hrli_binary_tree_remove(struct hrli_binary_tree *tree, struct hrli_queue_node *node)
{
    struct hrli_queue_node *left = get(node, LEFT);
    struct hrli_queue_node *right = get(node, RIGHT);
    struct hrli_queue_node *next = node->next;

    (void)tree; /* its head is a node like the others */
    node->previous->next = next;
    next->previous = node->previous;
    if (left == NULL) {
        replace(node, right);
        return;
    }
    if (right != NULL) { /* `next`, the leftmost on the right, takes the node's place */
        if (next != right) {
            replace(next, get(next, RIGHT));
            hang(next, RIGHT, right);
        }
        hang(next, LEFT, left);
        left = next;
    }
    replace(node, left);
}
