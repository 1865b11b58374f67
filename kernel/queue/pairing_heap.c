/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "pairing_heap.h"
#include "arrival.h"
#include "stamp.h"

enum { CHILD = 0 }; /* in hrli_queue_node.spare */

static inline struct hrli_queue_node *child_of(const struct hrli_queue_node *node)
{
    return (struct hrli_queue_node *)(uintptr_t)node->spare[CHILD];
}

/* Makes `child` the first child of `parent`, which goes before it. */
static inline void adopt(struct hrli_queue_node *parent, struct hrli_queue_node *child)
{
    struct hrli_queue_node *sibling = child_of(parent);

    child->next = sibling;
    child->previous = parent;
    if (sibling != NULL) {
        sibling->previous = child;
    }
    parent->spare[CHILD] = (uintptr_t)child;
}

/* One tree of two; returns its root. */
static inline struct hrli_queue_node *meld(struct hrli_queue_node *a, struct hrli_queue_node *b)
{
    if (hrli_arrival_before(a, b)) {
        adopt(a, b);
        return a;
    }
    adopt(b, a);
    return b;
}

/* One tree of the siblings that `next` chains from `node`; returns its root, NULL for none. */
static struct hrli_queue_node *meld_siblings(struct hrli_queue_node *node)
{
    struct hrli_queue_node *pairs = NULL; /* a stack, so that the last pair comes out first */

    while (node != NULL) { /* first pass: in pairs, from the left */
        struct hrli_queue_node *second = node->next;
        struct hrli_queue_node *pair = node;
        struct hrli_queue_node *rest = NULL;

        if (second != NULL) {
            rest = second->next;
            pair = meld(node, second);
        }
        pair->next = pairs;
        pairs = pair;
        node = rest;
    }
    if (pairs != NULL) { /* second pass: all into one, from the right */
        struct hrli_queue_node *rest = pairs->next;

        while (rest != NULL) {
            struct hrli_queue_node *pair = rest;

            rest = rest->next;
            pairs = meld(pairs, pair);
        }
    }
    return pairs;
}

bool hrli_pairing_heap_insert(struct hrli_pairing_heap *heap, struct hrli_queue_node *node)
{
    struct hrli_queue_node *root = heap->root;

    node->spare[CHILD] = 0;
    hrli_arrival_note(&heap->arrivals, node);
    if (root != NULL) {
        if (!hrli_stamp_after(root->key, node->key)) {
            adopt(root, node);
            return false;
        }
        adopt(node, root);
    }
    heap->root = node;
    return true;
}

void hrli_pairing_heap_pop(struct hrli_pairing_heap *heap, struct hrli_queue_node *first)
{
    heap->root = meld_siblings(child_of(first));
}

void hrli_pairing_heap_remove(struct hrli_pairing_heap *heap, struct hrli_queue_node *node)
{
    struct hrli_queue_node *previous = node->previous;
    struct hrli_queue_node *next = node->next;
    struct hrli_queue_node *children;

    if (node == heap->root) {
        hrli_pairing_heap_pop(heap, node);
        return;
    }
    if (child_of(previous) == node) {
        previous->spare[CHILD] = (uintptr_t)next;
    } else {
        previous->next = next;
    }
    if (next != NULL) {
        next->previous = previous;
    }
    children = meld_siblings(child_of(node));
    if (children != NULL) {
        adopt(heap->root, children); /* nothing goes before the root */
    }
}
