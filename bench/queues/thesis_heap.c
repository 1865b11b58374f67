/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "thesis_heap.h"
#include "stamp.h"

static inline void swap(struct hrli_queue_node **a, struct hrli_queue_node **b)
{
    struct hrli_queue_node *node = *a;

    *a = *b;
    *b = node;
}

bool bench_thesis_heap_insert(struct bench_thesis_heap *heap, struct hrli_queue_node *node)
{
    struct hrli_queue_node **nodes = heap->nodes;
    size_t n = heap->count++;

    nodes[n] = node;
    while (n > 0 && hrli_stamp_after(nodes[(n - 1) / 2]->key, nodes[n]->key)) {
        swap(&nodes[n], &nodes[(n - 1) / 2]);
        n = (n - 1) / 2;
    }
    return n == 0;
}

void bench_thesis_heap_pop(struct bench_thesis_heap *heap, struct hrli_queue_node *first)
{
    struct hrli_queue_node **nodes = heap->nodes;
    size_t count = --heap->count;
    size_t current = 0;

    (void)first;
    nodes[0] = nodes[count];
    for (;;) {
        size_t left = 2 * current + 1;
        size_t right = 2 * current + 2;
        size_t least = current;

        if (left < count && hrli_stamp_after(nodes[least]->key, nodes[left]->key)) {
            least = left;
        }
        if (right < count && hrli_stamp_after(nodes[least]->key, nodes[right]->key)) {
            least = right;
        }
        if (least == current) {
            return;
        }
        swap(&nodes[current], &nodes[least]);
        current = least;
    }
}
