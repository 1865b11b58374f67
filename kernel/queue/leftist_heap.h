/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LEFTIST_HEAP_H
#define HRLI_LEFTIST_HEAP_H

#include "queue_node.h"
#include "stamp.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Delay queue: the nodes that are due next in a short sorted list, all others in a leftist heap.
 *
 * Every node of the list goes before every node of the heap, and the list is empty only if the heap
 * is. So the first node, its removal and the insertion of a node that is due soon are those of a
 * list, and few nodes need no heap at all. A node that comes into the full list moves its last into
 * the heap; an insertion into the heap moves one of the earliest back while the list is less than
 * three quarters full, and two while less than a quarter, so that a handler finds them there. Numbers
 * of 56 bits tell equal keys apart in the heap: ascending for nodes that are inserted there,
 * descending for those that leave the list.
 *
 * Costs: first O(1); pop O(1), unless it empties the list, and then as a removal from the heap;
 * insert and remove O(log n). No memory but the links and this struct. Source: Crane, Linear Lists
 * and Priority Queues as Balanced Binary Trees (1972); the list before it is ours.
 *
 * In a node of the heap `next` and `previous` are its right and left child, and spare[] holds its
 * parent, its number and, in the lowest byte, its rank: the nodes of its shortest way down. In the
 * list the rank is 0.
 */
enum {
    HRLI_LEFTIST_HEAP_LISTED = 32, /* nodes in the list, at most */
    HRLI_LEFTIST_HEAP_NUMBER = 1 /* the word of `spare` with the number's low part, and the rank */
};

struct hrli_leftist_heap {
    struct hrli_queue_node head;  /* of the list, a ring */
    struct hrli_queue_node *root; /* of the heap; NULL: it is empty */
    uint32_t listed;
    uint64_t after, before; /* the next numbers of either kind */
};

/* Makes the queue empty. */
void hrli_leftist_heap_init(struct hrli_leftist_heap *queue);

/* The node with the earliest key, or NULL. */
static inline struct hrli_queue_node *hrli_leftist_heap_first(struct hrli_leftist_heap *queue)
{
    struct hrli_queue_node *first = queue->head.next;

    if (first == NULL) {
        __builtin_unreachable(); /* a ring: what tests the result need not test it twice */
    }
    return first == &queue->head ? NULL : first;
}

/* Puts `node`, which does not go before the root, into the heap, of which there is one. */
void hrli_leftist_heap_insert_late(struct hrli_leftist_heap *queue, struct hrli_queue_node *node);

/* The list has one node too many: moves its last into the heap. */
void hrli_leftist_heap_shorten(struct hrli_leftist_heap *queue);

/*
 * Puts `node`, which has its key set, behind all nodes that are not later. Returns whether it is
 * now the first.
 */
static inline bool hrli_leftist_heap_insert(struct hrli_leftist_heap *queue,
                                            struct hrli_queue_node *node)
{
    struct hrli_queue_node *before = &queue->head, *next;

    if (queue->root != NULL && !hrli_stamp_branch_after(queue->root->key, node->key)) {
        hrli_leftist_heap_insert_late(queue, node);
        return false;
    }
    while ((next = before->next) != &queue->head &&
           !hrli_stamp_branch_after(next->key, node->key)) {
        before = next;
    }
    node->spare[HRLI_LEFTIST_HEAP_NUMBER] = 0;
    node->next = next;
    node->previous = before;
    next->previous = node;
    before->next = node;
    if (++queue->listed > HRLI_LEFTIST_HEAP_LISTED) {
        hrli_leftist_heap_shorten(queue);
    }
    return before == &queue->head;
}

/* The list has become empty, and the heap is not: moves the heap's first into the list. */
void hrli_leftist_heap_refill(struct hrli_leftist_heap *queue);

/* Takes out `node`, which is in the list. */
static inline void hrli_leftist_heap_unlist(struct hrli_leftist_heap *queue,
                                            struct hrli_queue_node *node)
{
    node->previous->next = node->next;
    node->next->previous = node->previous;
    if (--queue->listed == 0 && queue->root != NULL) {
        hrli_leftist_heap_refill(queue);
    }
}

/* Takes out what `first` returned. */
static inline void hrli_leftist_heap_pop(struct hrli_leftist_heap *queue,
                                         struct hrli_queue_node *first)
{
    hrli_leftist_heap_unlist(queue, first);
}

/* Takes out `node`, which is in. */
void hrli_leftist_heap_remove(struct hrli_leftist_heap *queue, struct hrli_queue_node *node);

/* For kernel/assemble/queue_calls.h: the arrays of the queue `name`, and how it is made empty. */
#define HRLI_ARRAYS_leftist_heap(name, nodes, slots, bits)
#define HRLI_INIT_leftist_heap(name, nodes, slots, bits) hrli_leftist_heap_init(&(name))

#endif
