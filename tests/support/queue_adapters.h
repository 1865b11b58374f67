/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_QUEUE_ADAPTERS_H
#define SUPPORT_QUEUE_ADAPTERS_H

/*
 * Every queue, with the storage that it is given, behind functions of one shape, and a table of
 * them all: the conformance suite and the fuzzer go through it. A new queue adds its init
 * and two lines. Small wheels, so that keys of a test leave the window and go round.
 */
#include "array_heap.h"
#include "binary_tree.h"
#include "bucket.h"
#include "calendar.h"
#include "delta_list.h"
#include "hashed_wheel.h"
#include "hierarchical_wheel.h"
#include "leftist_heap.h"
#include "pairing_heap.h"
#include "red_black_tree.h"
#include "sorted_list.h"
#include "store.h"
#include "timing_wheel.h"
#include "tree_234.h"
#include <stdbool.h>
#include <stddef.h>

enum { ADAPTER_NODES = 512, ADAPTER_SLOTS = 64, ADAPTER_WIDTH_BITS = 7 };

struct array_heap_with_storage {
    struct hrli_array_heap queue;
    struct hrli_queue_node *storage[ADAPTER_NODES];
};

struct tree_234_with_storage {
    struct hrli_tree_234 queue;
    struct hrli_tree_234_node storage[HRLI_TREE_234_NODES(ADAPTER_NODES)];
};

/*
 * Few and short slots, so that most keys are far and slots come round again; wide_: few keys are
 * far.
 */
struct calendar_with_storage {
    struct hrli_calendar queue;
    hrli_instant_link storage[ADAPTER_SLOTS];
    uint32_t occupied[HRLI_CALENDAR_WORDS(ADAPTER_SLOTS)];
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

static inline void tree_234_init(void *queue)
{
    struct tree_234_with_storage *tree = queue;

    hrli_tree_234_init(&tree->queue, tree->storage, ADAPTER_NODES);
}

static inline void calendar_init(void *queue)
{
    struct calendar_with_storage *calendar = queue;

    hrli_calendar_init(&calendar->queue, calendar->storage, calendar->occupied, ADAPTER_SLOTS, 5);
}

static inline void wide_calendar_init(void *queue)
{
    struct calendar_with_storage *calendar = queue;

    hrli_calendar_init(&calendar->queue, calendar->storage, calendar->occupied, 32, 24);
}

static inline void pairing_heap_init(void *queue)
{
    hrli_pairing_heap_init(queue);
}

static inline void leftist_heap_init(void *queue)
{
    hrli_leftist_heap_init(queue);
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

#define PLAIN_INIT(name)                                                                           \
    static inline void name##_init(void *queue)                                                    \
    {                                                                                              \
        hrli_##name##_init(queue);                                                                 \
    }

PLAIN_INIT(sorted_list)
PLAIN_INIT(delta_list)
PLAIN_INIT(bucket)
PLAIN_INIT(binary_tree)
PLAIN_INIT(red_black_tree)

#undef PLAIN_INIT

HRLI_QUEUE_CALLS(sorted_list)
HRLI_QUEUE_CALLS(delta_list)
HRLI_QUEUE_CALLS(bucket)
HRLI_QUEUE_CALLS(binary_tree)
HRLI_QUEUE_CALLS(array_heap)
HRLI_QUEUE_CALLS(pairing_heap)
HRLI_QUEUE_CALLS(leftist_heap)
HRLI_QUEUE_CALLS(red_black_tree)
HRLI_QUEUE_CALLS(tree_234)
HRLI_QUEUE_CALLS(timing_wheel)
HRLI_QUEUE_CALLS(hashed_wheel)
HRLI_QUEUE_CALLS(hierarchical_wheel)
HRLI_QUEUE_CALLS(calendar)
HRLI_QUEUE_CALLS(loose_calendar)

struct queue_operations {
    const char *name;
    size_t bytes;
    void (*init)(void *queue);
    bool (*insert)(void *queue, struct hrli_queue_node *node);
    struct hrli_queue_node *(*first)(void *queue);
    void (*pop)(void *queue, struct hrli_queue_node *first);
    void (*remove)(void *queue, struct hrli_queue_node *node);
};

#define QUEUE_LINE(label, type, init_name, name)                                                   \
    {                                                                                              \
        label, sizeof(struct type), init_name, name##_insert, name##_first, name##_pop,            \
            name##_remove                                                                          \
    }

/* For tests that want a table: QUEUE_TABLE is the initialiser of an array of queue_operations. */
#define QUEUE_TABLE                                                                                \
    {                                                                                              \
        QUEUE_LINE("sorted_list", hrli_sorted_list, sorted_list_init, sorted_list),                \
            QUEUE_LINE("delta_list", hrli_delta_list, delta_list_init, delta_list),                \
            QUEUE_LINE("bucket", hrli_bucket, bucket_init, bucket),                                \
            QUEUE_LINE("binary_tree", hrli_binary_tree, binary_tree_init, binary_tree),            \
            QUEUE_LINE("array_heap", array_heap_with_storage, array_heap_init, array_heap),        \
            QUEUE_LINE("pairing_heap", hrli_pairing_heap, pairing_heap_init, pairing_heap),        \
            QUEUE_LINE("leftist_heap", hrli_leftist_heap, leftist_heap_init, leftist_heap),        \
            QUEUE_LINE("red_black_tree", hrli_red_black_tree, red_black_tree_init,                 \
                       red_black_tree),                                                            \
            QUEUE_LINE("tree_234", tree_234_with_storage, tree_234_init, tree_234),                \
            QUEUE_LINE("timing_wheel", timing_wheel_with_storage, timing_wheel_init,               \
                       timing_wheel),                                                              \
            QUEUE_LINE("hashed_wheel", hashed_wheel_with_storage, hashed_wheel_init,               \
                       hashed_wheel),                                                              \
            QUEUE_LINE("hierarchical_wheel", hierarchical_wheel_with_storage,                      \
                       hierarchical_wheel_init, hierarchical_wheel),                               \
            QUEUE_LINE("calendar", calendar_with_storage, calendar_init, calendar),                \
            QUEUE_LINE("calendar, wide", calendar_with_storage, wide_calendar_init, calendar),     \
            QUEUE_LINE("calendar, loose", calendar_with_storage, calendar_init, loose_calendar),   \
            QUEUE_LINE("calendar, loose and wide", calendar_with_storage, wide_calendar_init,      \
                       loose_calendar),                                                            \
    }

#endif
