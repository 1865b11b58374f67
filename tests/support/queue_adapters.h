/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_QUEUE_ADAPTERS_H
#define SUPPORT_QUEUE_ADAPTERS_H

/*
 * The queues that are given storage, with it, behind functions of one shape: what tables of queues want.
 * Small wheels, so that keys of a test leave the window and go round.
 */
#include "array_heap.h"
#include "hashed_wheel.h"
#include "hierarchical_wheel.h"
#include "pairing_heap.h"
#include "timing_wheel.h"

enum { ADAPTER_NODES = 512, ADAPTER_SLOTS = 64, ADAPTER_WIDTH_BITS = 7 };

struct array_heap_with_storage {
    struct hrli_array_heap queue;
    struct hrli_queue_node *storage[ADAPTER_NODES];
};

struct timing_wheel_with_storage {
    struct hrli_timing_wheel queue;
    struct hrli_queue_node *storage[ADAPTER_SLOTS];
};

struct hashed_wheel_with_storage {
    struct hrli_hashed_wheel queue;
    struct hrli_queue_node *storage[HRLI_HASHED_WHEEL_STORAGE(ADAPTER_SLOTS)];
};

struct hierarchical_wheel_with_storage {
    struct hrli_hierarchical_wheel queue;
    struct hrli_queue_node *storage[HRLI_HIERARCHICAL_WHEEL_SLOTS(ADAPTER_WIDTH_BITS)];
};

static inline void array_heap_init(void *queue)
{
    struct array_heap_with_storage *heap = queue;

    hrli_array_heap_init(&heap->queue, heap->storage, ADAPTER_NODES);
}

static inline void pairing_heap_init(void *queue)
{
    hrli_pairing_heap_init(queue);
}

static inline void timing_wheel_init(void *queue)
{
    struct timing_wheel_with_storage *wheel = queue;

    hrli_timing_wheel_init(&wheel->queue, ADAPTER_WIDTH_BITS, wheel->storage, ADAPTER_SLOTS);
}

static inline void hashed_wheel_init(void *queue)
{
    struct hashed_wheel_with_storage *wheel = queue;

    hrli_hashed_wheel_init(&wheel->queue, ADAPTER_WIDTH_BITS, wheel->storage, ADAPTER_SLOTS);
}

static inline void hierarchical_wheel_init(void *queue)
{
    struct hierarchical_wheel_with_storage *wheel = queue;

    hrli_hierarchical_wheel_init(&wheel->queue, ADAPTER_WIDTH_BITS, wheel->storage,
                                 HRLI_HIERARCHICAL_WHEEL_SLOTS(ADAPTER_WIDTH_BITS));
}

#define QUEUE_ADAPTER(name, pop_name)                                                              \
    static inline bool name##_insert(void *queue, struct hrli_queue_node *node)                    \
    {                                                                                              \
        return hrli_##name##_insert(queue, node);                                                  \
    }                                                                                              \
    static inline struct hrli_queue_node *name##_first(void *queue)                                \
    {                                                                                              \
        return hrli_##name##_first(queue);                                                         \
    }                                                                                              \
    static inline void name##_pop(void *queue, struct hrli_queue_node *first)                      \
    {                                                                                              \
        hrli_##name##_##pop_name(queue, first);                                                    \
    }                                                                                              \
    static inline void name##_remove(void *queue, struct hrli_queue_node *node)                    \
    {                                                                                              \
        hrli_##name##_remove(queue, node);                                                         \
    }

QUEUE_ADAPTER(array_heap, pop)
QUEUE_ADAPTER(pairing_heap, pop)
QUEUE_ADAPTER(timing_wheel, pop)
QUEUE_ADAPTER(hashed_wheel, remove)
QUEUE_ADAPTER(hierarchical_wheel, pop)

#undef QUEUE_ADAPTER

#endif
