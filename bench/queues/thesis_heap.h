/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_THESIS_HEAP_H
#define BENCH_THESIS_HEAP_H

#include "queue_node.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * For the bench only: the iterative array heap as the thesis has it (section 4.2.5, figures 4.4 and 4.5),
 * which is no delay queue by our contract. Equal keys come out in any order and only the first can be
 * taken out. It swaps where kernel/queue/array_heap.c moves a hole.
 */
struct bench_thesis_heap {
    struct hrli_queue_node **nodes; /* children of index i: 2 i + 1 and 2 i + 2 */
    size_t count;
};

/* Makes the heap empty. `nodes`, with an element for each node at most in, is the heap's from here on. */
static inline void bench_thesis_heap_init(struct bench_thesis_heap *heap,
                                          struct hrli_queue_node **nodes, size_t capacity)
{
    (void)capacity; /* the thesis does not look */
    heap->nodes = nodes;
    heap->count = 0;
}

/* A node with the earliest key, or NULL. */
static inline struct hrli_queue_node *bench_thesis_heap_first(struct bench_thesis_heap *heap)
{
    return heap->count == 0 ? NULL : heap->nodes[0];
}

/* Puts in `node`, which has its key set. Returns whether it is now the first. */
bool bench_thesis_heap_insert(struct bench_thesis_heap *heap, struct hrli_queue_node *node);

/* Takes the first node out. */
void bench_thesis_heap_pop(struct bench_thesis_heap *heap, struct hrli_queue_node *first);

#endif
