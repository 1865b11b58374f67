/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "leftist_heap.h"

typedef struct hrli_queue_node node_t;

enum { PARENT, NUMBER_LOW = HRLI_LEFTIST_HEAP_NUMBER, NUMBER_HIGH }; /* words of `spare` */
enum { RANK_BITS = 8, RANK_MASK = (1 << RANK_BITS) - 1 };
enum {
    LISTED_AT_LEAST = HRLI_LEFTIST_HEAP_LISTED * 3 / 4, /* below, an insertion moves a node */
    LISTED_FEW = HRLI_LEFTIST_HEAP_LISTED / 4           /* below, two */
};

void hrli_leftist_heap_init(struct hrli_leftist_heap *queue)
{
    queue->head.next = &queue->head;
    queue->head.previous = &queue->head;
    queue->root = NULL;
    queue->listed = 0;
    queue->after = (uint64_t)1 << 55;
    queue->before = queue->after - 1u;
}

static inline node_t *parent_of(const node_t *node)
{
    return (node_t *)(uintptr_t)node->spare[PARENT];
}

static inline uint32_t rank_of(const node_t *node)
{
    return node == NULL ? 0 : (uint32_t)node->spare[NUMBER_LOW] & RANK_MASK;
}

static inline void number(node_t *node, uint64_t number)
{
    node->spare[NUMBER_LOW] = (uint32_t)(number << RANK_BITS) | 1u;
    node->spare[NUMBER_HIGH] = (uint32_t)(number >> (32 - RANK_BITS));
}

/* Whether `a` goes before `b`, which is another node of the heap. */
static inline bool goes_before(const node_t *a, const node_t *b)
{
    if (a->key != b->key) {
        return hrli_stamp_after(b->key, a->key);
    }
    return a->spare[NUMBER_HIGH] != b->spare[NUMBER_HIGH]
               ? a->spare[NUMBER_HIGH] < b->spare[NUMBER_HIGH]
               : a->spare[NUMBER_LOW] < b->spare[NUMBER_LOW];
}

/* The child of the higher rank becomes the left one. Returns whether the rank has changed. */
static bool settle(node_t *node)
{
    node_t *left = node->previous, *right = node->next;
    uint32_t before = (uint32_t)node->spare[NUMBER_LOW], rank;

    if (rank_of(left) < rank_of(right)) {
        node->previous = right;
        node->next = left;
        right = left;
    }
    rank = (before & ~(uint32_t)RANK_MASK) | (rank_of(right) + 1u);
    node->spare[NUMBER_LOW] = rank;
    return rank != before;
}

/* Makes one tree of `a` and `b`, below `above` at `link`. O(log n): it follows right children only. */
static void merge(node_t **link, node_t *above, node_t *a, node_t *b)
{
    node_t *parent = above;

    while (a != NULL && b != NULL) {
        node_t *first = goes_before(b, a) ? b : a;

        b = first == a ? b : a;
        *link = first;
        first->spare[PARENT] = (uintptr_t)parent;
        parent = first;
        link = &first->next;
        a = first->next;
    }
    a = a != NULL ? a : b;
    *link = a;
    if (a != NULL) {
        a->spare[PARENT] = (uintptr_t)parent;
    }
    for (; parent != above; parent = parent_of(parent)) {
        (void)settle(parent);
    }
    while (parent != NULL && settle(parent)) {
        parent = parent_of(parent);
    }
}

/* Puts `node`, which has its number, into the heap. */
static void insert_into_heap(struct hrli_leftist_heap *queue, node_t *node)
{
    node->next = NULL;
    node->previous = NULL;
    merge(&queue->root, NULL, queue->root, node);
}

__attribute__((noinline)) void hrli_leftist_heap_refill(struct hrli_leftist_heap *queue)
{
    node_t *first = queue->root;

    merge(&queue->root, NULL, first->previous, first->next);
    first->spare[NUMBER_LOW] = 0;
    first->next = &queue->head;
    first->previous = queue->head.previous;
    first->previous->next = first;
    queue->head.previous = first;
    queue->listed++;
}

void hrli_leftist_heap_insert_late(struct hrli_leftist_heap *queue, node_t *node)
{
    number(node, queue->after++);
    insert_into_heap(queue, node);
    if (queue->listed < LISTED_FEW) {
        hrli_leftist_heap_refill(queue); /* the heap has two nodes at least: there was one before */
    }
    if (queue->listed < LISTED_AT_LEAST) {
        hrli_leftist_heap_refill(queue);
    }
}

void hrli_leftist_heap_shorten(struct hrli_leftist_heap *queue)
{
    node_t *last = queue->head.previous;

    last->previous->next = &queue->head;
    queue->head.previous = last->previous;
    queue->listed--;
    number(last, queue->before--);
    insert_into_heap(queue, last);
}

void hrli_leftist_heap_remove(struct hrli_leftist_heap *queue, node_t *node)
{
    node_t *parent;
    node_t **link = &queue->root;

    if (rank_of(node) == 0) {
        hrli_leftist_heap_unlist(queue, node);
        return;
    }
    parent = parent_of(node);
    if (parent != NULL) {
        link = parent->next == node ? &parent->next : &parent->previous;
    }
    merge(link, parent, node->previous, node->next);
}
