/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array_heap.h"
#include "bench_case.h"
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
#include "thesis_heap.h"
#include "thesis_red_black_tree.h"
#include "timing_wheel.h"
#include "tree_234.h"

/*
 * The queues that can be measured: below a line for the storage and how it is made empty, and one in the
 * table; and one in QUEUES of experiments/horolog_experiments/queues/cases.py. The storage is called
 * bench_storage_<queue>: its size is the queue's RAM.
 */
enum { SLOTS = 128, SLOT_BITS = 15 /* 1.3 ms at 25 MHz */ };

#define STORAGE(queue, ...)                                                                        \
    struct hrli_##queue bench_storage_##queue;                                                     \
    static void init_##queue(void)                                                                 \
    {                                                                                              \
        hrli_##queue##_init(&bench_storage_##queue __VA_ARGS__);                                   \
    }

struct hrli_tree_234_node bench_array_tree_234[HRLI_TREE_234_NODES(BENCH_CAPACITY)];
struct hrli_queue_node *bench_array_array_heap[BENCH_CAPACITY];
struct hrli_queue_node *bench_array_timing_wheel[SLOTS];
struct hrli_queue_node *bench_array_hashed_wheel[HRLI_HASHED_WHEEL_STORAGE(SLOTS)];
struct hrli_queue_node *bench_array_hierarchical_wheel[HRLI_HIERARCHICAL_WHEEL_SLOTS(SLOT_BITS)];
hrli_instant_link bench_array_calendar[SLOTS];
uint32_t bench_bits_calendar[HRLI_CALENDAR_WORDS(SLOTS)];
struct hrli_queue_node *bench_array_thesis_heap[BENCH_CAPACITY];
struct bench_thesis_heap bench_storage_thesis_heap;
struct bench_thesis_red_black_tree bench_storage_thesis_red_black_tree;

STORAGE(sorted_list)
STORAGE(delta_list)
STORAGE(bucket)
STORAGE(binary_tree)
STORAGE(red_black_tree)
STORAGE(tree_234, , bench_array_tree_234, BENCH_CAPACITY)
STORAGE(array_heap, , bench_array_array_heap, BENCH_CAPACITY)
STORAGE(pairing_heap)
STORAGE(leftist_heap)
STORAGE(timing_wheel, , SLOT_BITS, bench_array_timing_wheel, SLOTS)
STORAGE(hashed_wheel, , SLOT_BITS, bench_array_hashed_wheel, SLOTS)
STORAGE(hierarchical_wheel, , SLOT_BITS, bench_array_hierarchical_wheel,
        HRLI_HIERARCHICAL_WHEEL_SLOTS(SLOT_BITS))
STORAGE(calendar, , bench_array_calendar, bench_bits_calendar, SLOTS, SLOT_BITS)

static void init_thesis_heap(void)
{
    bench_thesis_heap_init(&bench_storage_thesis_heap, bench_array_thesis_heap, BENCH_CAPACITY);
}

static void init_thesis_red_black_tree(void)
{
    bench_thesis_red_black_tree_init(&bench_storage_thesis_red_black_tree);
}

#define QUEUE(queue, prefix, pop_name, pop_takes_the_node_only)                                    \
    {                                                                                              \
#queue, &bench_storage_##queue, init_##queue, (bench_function)prefix##queue##_insert,      \
            (bench_function)prefix##queue##_first, (bench_function)prefix##queue##_##pop_name,     \
            pop_takes_the_node_only                                                                \
    }

const struct bench_queue bench_queues[] = {
    QUEUE(sorted_list, hrli_, unlink, true),
    QUEUE(delta_list, hrli_, pop, false),
    QUEUE(bucket, hrli_, pop, false),
    QUEUE(binary_tree, hrli_, pop, false),
    QUEUE(red_black_tree, hrli_, pop, false),
    QUEUE(tree_234, hrli_, pop, false),
    QUEUE(array_heap, hrli_, pop, false),
    QUEUE(pairing_heap, hrli_, pop, false),
    QUEUE(leftist_heap, hrli_, pop, false),
    QUEUE(timing_wheel, hrli_, pop, false),
    QUEUE(hashed_wheel, hrli_, pop, false),
    QUEUE(hierarchical_wheel, hrli_, pop, false),
    QUEUE(calendar, hrli_, pop, false),
    QUEUE(thesis_heap, bench_, pop, false),
    QUEUE(thesis_red_black_tree, bench_, pop, false),
    {NULL, NULL, NULL, NULL, NULL, NULL, false},
};
