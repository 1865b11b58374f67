/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tree_234.h"
#include "stamp.h"

enum { FULL = HRLI_TREE_234_ITEMS };

static inline bool is_leaf(const struct hrli_tree_234_node *node)
{
    return node->children[0] == NULL;
}

static inline void set_item(struct hrli_tree_234_node *node, unsigned i,
                            struct hrli_queue_node *item)
{
    node->items[i] = item;
    item->spare[HRLI_TREE_234_HOME] = (uintptr_t)node;
}

static inline void set_child(struct hrli_tree_234_node *parent, unsigned i,
                             struct hrli_tree_234_node *child)
{
    parent->children[i] = child;
    child->parent = parent;
}

static inline struct hrli_tree_234_node *take_unused(struct hrli_tree_234 *tree)
{
    struct hrli_tree_234_node *node = tree->unused;

    tree->unused = node->parent;
    return node;
}

static inline void give_back(struct hrli_tree_234 *tree, struct hrli_tree_234_node *node)
{
    node->parent = tree->unused;
    tree->unused = node;
}

void hrli_tree_234_init(struct hrli_tree_234 *tree, struct hrli_tree_234_node *nodes,
                        size_t capacity)
{
    tree->unused = NULL;
    for (size_t i = HRLI_TREE_234_NODES(capacity); i-- > 1;) {
        give_back(tree, &nodes[i]);
    }
    nodes[0].parent = NULL;
    nodes[0].count = 0;
    nodes[0].children[0] = NULL;
    tree->leftmost = &nodes[0];
    tree->root = &nodes[0];
}

/* How many items of `node` are not later than `key`. */
static inline unsigned place_of(const struct hrli_tree_234_node *node, hrl_stamp key)
{
    unsigned i = 0;

    while (i < node->count && !hrli_stamp_after(node->items[i]->key, key)) {
        i++;
    }
    return i;
}

/* Which child of `parent` is `node`? */
static inline unsigned index_of(const struct hrli_tree_234_node *parent,
                                const struct hrli_tree_234_node *node)
{
    unsigned i = 0;

    while (parent->children[i] != node) {
        i++;
    }
    return i;
}

/* Puts `item` and the `child` behind it into `parent`, which is not full, behind its child `i`. */
static void adopt(struct hrli_tree_234_node *parent, unsigned i, struct hrli_queue_node *item,
                  struct hrli_tree_234_node *child)
{
    for (unsigned j = parent->count; j > i; j--) {
        parent->items[j] = parent->items[j - 1];
        parent->children[j + 1] = parent->children[j];
    }
    set_item(parent, i, item);
    set_child(parent, i + 1, child);
    parent->count++;
}

/*
 * Makes two of `node`, which is full; its parent, which is not, gets the middle item. Returns the
 * right one.
 */
static struct hrli_tree_234_node *split(struct hrli_tree_234 *tree, struct hrli_tree_234_node *node)
{
    struct hrli_tree_234_node *right = take_unused(tree);
    struct hrli_tree_234_node *parent = node->parent;

    if (parent == NULL) {
        parent = take_unused(tree);
        parent->parent = NULL;
        parent->count = 0;
        set_child(parent, 0, node);
        tree->root = parent;
    }
    set_item(right, 0, node->items[2]);
    right->children[0] = NULL;
    if (!is_leaf(node)) {
        set_child(right, 0, node->children[2]);
        set_child(right, 1, node->children[3]);
    }
    right->count = 1;
    node->count = 1;
    adopt(parent, index_of(parent, node), node->items[1], right);
    return right;
}

bool hrli_tree_234_insert(struct hrli_tree_234 *tree, struct hrli_queue_node *item)
{
    struct hrli_tree_234_node *node = tree->root;
    hrl_stamp key = item->key;
    unsigned place;

    for (;;) {
        if (node->count == FULL) {
            hrl_stamp middle = node->items[1]->key;
            struct hrli_tree_234_node *right = split(tree, node);
            if (!hrli_stamp_after(middle, key)) {
                node = right;
            }
        }
        place = place_of(node, key);
        if (is_leaf(node)) {
            break;
        }
        node = node->children[place];
    }
    for (unsigned j = node->count; j > place; j--) {
        node->items[j] = node->items[j - 1];
    }
    set_item(node, place, item);
    node->count++;
    return place == 0 && node == tree->leftmost;
}

/*
 * `node`, which is empty, gets an item through `parent` from the next child, which has more than
 * one.
 */
static void borrow_right(struct hrli_tree_234_node *parent, unsigned i,
                         struct hrli_tree_234_node *node)
{
    struct hrli_tree_234_node *right = parent->children[i + 1];

    set_item(node, 0, parent->items[i]);
    set_item(parent, i, right->items[0]);
    if (!is_leaf(node)) {
        set_child(node, 1, right->children[0]);
        for (unsigned j = 0; j < right->count; j++) {
            right->children[j] = right->children[j + 1];
        }
    }
    node->count = 1;
    right->count--;
    for (unsigned j = 0; j < right->count; j++) {
        right->items[j] = right->items[j + 1];
    }
}

/* `node`, which is empty, gets an item through `parent` from the child before. */
static void borrow_left(struct hrli_tree_234_node *parent, unsigned i,
                        struct hrli_tree_234_node *node)
{
    struct hrli_tree_234_node *left = parent->children[i - 1];

    set_item(node, 0, parent->items[i - 1]);
    set_item(parent, i - 1, left->items[left->count - 1]);
    if (!is_leaf(node)) {
        node->children[1] = node->children[0];
        set_child(node, 0, left->children[left->count]);
    }
    node->count = 1;
    left->count--;
}

/* Puts child `i` of `parent`, the item behind it and the next child, two items, into child `i`. */
static void merge(struct hrli_tree_234 *tree, struct hrli_tree_234_node *parent, unsigned i)
{
    struct hrli_tree_234_node *left = parent->children[i];
    struct hrli_tree_234_node *right = parent->children[i + 1];
    unsigned own = left->count; /* one of the two is empty */

    set_item(left, own, parent->items[i]);
    if (own == 0) {
        set_item(left, 1, right->items[0]);
    }
    if (!is_leaf(left)) {
        set_child(left, own + 1, right->children[0]);
        if (own == 0) {
            set_child(left, 2, right->children[1]);
        }
    }
    left->count = 2;
    parent->count--;
    for (unsigned j = i; j < parent->count; j++) {
        parent->items[j] = parent->items[j + 1];
        parent->children[j + 1] = parent->children[j + 2];
    }
    give_back(tree, right);
}

/* `node` has become empty: it gets an item, or goes, which may leave its parent empty. */
static void fill_up(struct hrli_tree_234 *tree, struct hrli_tree_234_node *node)
{
    do {
        struct hrli_tree_234_node *parent = node->parent;
        unsigned i;

        if (parent == NULL) {
            if (!is_leaf(node)) { /* the tree loses a level */
                tree->root = node->children[0];
                tree->root->parent = NULL;
                give_back(tree, node);
            }
            return;
        }
        i = index_of(parent, node);
        if (i < parent->count && parent->children[i + 1]->count > 1) {
            borrow_right(parent, i, node);
        } else if (i > 0 && parent->children[i - 1]->count > 1) {
            borrow_left(parent, i, node);
        } else {
            merge(tree, parent, i < parent->count ? i : i - 1);
        }
        node = parent;
    } while (node->count == 0);
}

/* Takes item `i` out of `leaf`. */
static inline void take_from_leaf(struct hrli_tree_234 *tree, struct hrli_tree_234_node *leaf,
                                  unsigned i)
{
    leaf->count--;
    for (; i < leaf->count; i++) {
        leaf->items[i] = leaf->items[i + 1];
    }
    if (leaf->count == 0) {
        fill_up(tree, leaf);
    }
}

void hrli_tree_234_pop(struct hrli_tree_234 *tree, struct hrli_queue_node *first)
{
    (void)first;
    take_from_leaf(tree, tree->leftmost, 0);
}

void hrli_tree_234_remove(struct hrli_tree_234 *tree, struct hrli_queue_node *item)
{
    struct hrli_tree_234_node *node =
        (struct hrli_tree_234_node *)(uintptr_t)item->spare[HRLI_TREE_234_HOME];
    unsigned i = 0;

    while (node->items[i] != item) {
        i++;
    }
    if (!is_leaf(node)) { /* the next item, which is in a leaf, takes its place */
        struct hrli_tree_234_node *leaf = node->children[i + 1];
        while (!is_leaf(leaf)) {
            leaf = leaf->children[0];
        }
        set_item(node, i, leaf->items[0]);
        node = leaf;
        i = 0;
    }
    take_from_leaf(tree, node, i);
}
