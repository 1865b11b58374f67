/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_PAIRING_HEAP_H
#define HRLI_PAIRING_HEAP_H

#include "queue_node.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Delay queue: a pairing heap; arrival numbers (arrival.h) keep it first come, first out.
 *
 * The contract is README.md's, but for one thing: `pop` visits every child of the root. That is
 * O(log n) amortised and O(n) at worst (the first pop after n ascending inserts), with interrupts
 * off. It is here to be compared; a system with a bound on its interrupt latency wants another
 * queue. Costs: insert and first O(1), remove O(log n) amortised. Source: Fredman, Sedgewick,
 * Sleator, Tarjan: The Pairing Heap (1986), the two-pass variant.
 *
 * In a node: `next` is the next sibling or NULL, `previous` the sibling before or, for a first
 * child, the parent; spare[0] is the first child or NULL. Those of the root mean nothing, but for
 * the child.
 */
struct hrli_pairing_heap {
    struct hrli_queue_node *root; /* NULL: empty */
    uint64_t arrivals;
};

/* Makes the heap empty. */
static inline void hrli_pairing_heap_init(struct hrli_pairing_heap *heap)
{
    heap->root = NULL;
    heap->arrivals = 0;
}

/* The node with the earliest key, or NULL. */
static inline struct hrli_queue_node *hrli_pairing_heap_first(struct hrli_pairing_heap *heap)
{
    return heap->root;
}

/* Puts in `node`, which has its key set. Returns whether it is now the first. */
bool hrli_pairing_heap_insert(struct hrli_pairing_heap *heap, struct hrli_queue_node *node);

/* Takes `first`, the first node, out. */
void hrli_pairing_heap_pop(struct hrli_pairing_heap *heap, struct hrli_queue_node *first);

/* Takes `node`, which is in the heap, out. */
void hrli_pairing_heap_remove(struct hrli_pairing_heap *heap, struct hrli_queue_node *node);

/* For kernel/assemble/queue_calls.h: the arrays of the queue `name`, and how it is made empty. */
#define HRLI_ARRAYS_pairing_heap(name, nodes, slots, bits)
#define HRLI_INIT_pairing_heap(name, nodes, slots, bits) hrli_pairing_heap_init(&(name))

#endif
