/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_ARRAY_HEAP_H
#define HRLI_ARRAY_HEAP_H

#include "queue_node.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Delay queue: a binary heap in an array of pointers; arrival numbers (arrival.h) keep it first
 * come, first out.
 *
 * The contract is README.md's. Costs: first O(1); the rest O(log n), so that `pop` runs through at
 * most log2 of the capacity levels. A node knows its index, in spare[0]. Source: Williams,
 * Algorithm 232; the iterative form of the thesis, section 4.2.5, which moves a hole instead of
 * swapping.
 */
struct hrli_array_heap {
    struct hrli_queue_node **nodes; /* children of index i: 2 i + 1 and 2 i + 2 */
    size_t count;
    size_t capacity;
    uint64_t arrivals;
};

/*
 * Makes the heap empty. `nodes`, of `capacity` elements, is the heap's from here on. One node more
 * than that is a programming error, which stops in the assert hook.
 */
static inline void hrli_array_heap_init(struct hrli_array_heap *heap,
                                        struct hrli_queue_node **nodes, size_t capacity)
{
    heap->nodes = nodes;
    heap->count = 0;
    heap->capacity = capacity;
    heap->arrivals = 0;
}

/* The node with the earliest key, or NULL. */
static inline struct hrli_queue_node *hrli_array_heap_first(struct hrli_array_heap *heap)
{
    return heap->count == 0 ? NULL : heap->nodes[0];
}

/* Puts in `node`, which has its key set. Returns whether it is now the first. */
bool hrli_array_heap_insert(struct hrli_array_heap *heap, struct hrli_queue_node *node);

/* Takes `first`, the first node, out. */
void hrli_array_heap_pop(struct hrli_array_heap *heap, struct hrli_queue_node *first);

/* Takes `node`, which is in the heap, out. */
void hrli_array_heap_remove(struct hrli_array_heap *heap, struct hrli_queue_node *node);

/* For kernel/assemble/queue_calls.h: the arrays of the queue `name`, and how it is made empty. */
#define HRLI_ARRAYS_array_heap(name, nodes, slots, bits)                                           \
    static struct hrli_queue_node *name##_nodes[nodes];
#define HRLI_INIT_array_heap(name, nodes, slots, bits)                                             \
    hrli_array_heap_init(&(name), name##_nodes, nodes)

#endif
