/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array_heap.h"
#include "arrival.h"
#include "stamp.h"
#include <hrl/hooks.h>

enum { INDEX = 0 }; /* in hrli_queue_node.spare */

static inline void put(struct hrli_queue_node **nodes, size_t index, struct hrli_queue_node *node)
{
    nodes[index] = node;
    node->spare[INDEX] = index;
}

/* Puts `node` into the hole at `index`, or higher up: parents that are due after it move down. */
static void rise(struct hrli_queue_node **nodes, size_t index, struct hrli_queue_node *node)
{
    while (index > 0) {
        size_t above = (index - 1) / 2;

        if (!hrli_arrival_before(node, nodes[above])) {
            break;
        }
        put(nodes, index, nodes[above]);
        index = above;
    }
    put(nodes, index, node);
}

/*
 * Puts `node` into the hole at `index`, or lower down: the earlier child moves up, until none is.
 */
static void sink(struct hrli_queue_node **nodes, size_t count, size_t index,
                 struct hrli_queue_node *node)
{
    size_t below;

    while ((below = 2 * index + 1) < count) {
        struct hrli_queue_node *child = nodes[below];

        if (below + 1 < count && hrli_arrival_before(nodes[below + 1], child)) {
            below++;
            child = nodes[below];
        }
        if (hrli_arrival_before(node, child)) {
            break;
        }
        put(nodes, index, child);
        index = below;
    }
    put(nodes, index, node);
}

bool hrli_array_heap_insert(struct hrli_array_heap *heap, struct hrli_queue_node *node)
{
    struct hrli_queue_node **nodes = heap->nodes;
    size_t index = heap->count;
    hrl_stamp key = node->key;

    if (index >= heap->capacity) {
        HRLP_CPU_STOP("the heap has no room for another node", __FILE__, __LINE__);
    }
    heap->count = index + 1;
    hrli_arrival_note(&heap->arrivals, node);
    while (index > 0) { /* as rise(); nothing is younger than the newest, so its key is enough */
        size_t above = (index - 1) / 2;

        if (!hrli_stamp_after(nodes[above]->key, key)) {
            break;
        }
        put(nodes, index, nodes[above]);
        index = above;
    }
    put(nodes, index, node);
    return index == 0;
}

void hrli_array_heap_pop(struct hrli_array_heap *heap, struct hrli_queue_node *first)
{
    size_t count = heap->count - 1;

    (void)first;
    heap->count = count;
    sink(heap->nodes, count, 0, heap->nodes[count]); /* harmless where that was the only one */
}

void hrli_array_heap_remove(struct hrli_array_heap *heap, struct hrli_queue_node *node)
{
    struct hrli_queue_node **nodes = heap->nodes;
    size_t index = node->spare[INDEX];
    size_t count = heap->count - 1;
    struct hrli_queue_node *last = nodes[count];

    heap->count = count;
    /* If `node` is the last itself, this puts it back to its place, behind the end. */
    if (index > 0 && hrli_arrival_before(last, nodes[(index - 1) / 2])) {
        rise(nodes, index, last);
    } else {
        sink(nodes, count, index, last);
    }
}
