/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_case.h"
#include "delay_queues.h"
#include "thesis_heap.h"
#include "thesis_red_black_tree.h"

/*
 * The queues that can be measured: those with a header that says how they are made (delay_queues.h,
 * which the build makes), and the thesis'. The storage is called <queue>_storage, its arrays
 * <queue>_storage_<word>: their sizes are the queue's RAM.
 */
enum { SLOTS = 128, SLOT_BITS = 15 /* 1.3 ms at 25 MHz */ };

#define STORAGE(queue)                                                                             \
    struct hrli_##queue queue##_storage;                                                           \
    HRLI_ARRAYS_##queue(queue##_storage, BENCH_CAPACITY, SLOTS,                                    \
                        SLOT_BITS) static void init_##queue(void)                                  \
    {                                                                                              \
        HRLI_INIT_##queue(queue##_storage, BENCH_CAPACITY, SLOTS, SLOT_BITS);                      \
    }
HRLI_DELAY_QUEUES(STORAGE)
STORAGE(sorted_list)

struct bench_thesis_heap thesis_heap_storage;
struct bench_thesis_red_black_tree thesis_red_black_tree_storage;
static struct hrli_queue_node *thesis_heap_storage_nodes[BENCH_CAPACITY];

static void init_thesis_heap(void)
{
    bench_thesis_heap_init(&thesis_heap_storage, thesis_heap_storage_nodes, BENCH_CAPACITY);
}

static void init_thesis_red_black_tree(void)
{
    bench_thesis_red_black_tree_init(&thesis_red_black_tree_storage);
}

#define QUEUE(queue, prefix, pop_name, pop_takes_the_node_only)                                    \
    {                                                                                              \
#queue, &queue##_storage, init_##queue, (bench_function)prefix##queue##_insert,            \
            (bench_function)prefix##queue##_first, (bench_function)prefix##queue##_##pop_name,     \
            pop_takes_the_node_only                                                                \
    }
#define KERNEL_QUEUE(queue) QUEUE(queue, hrli_, pop, false),

const struct bench_queue bench_queues[] = {
    HRLI_DELAY_QUEUES(KERNEL_QUEUE)
        QUEUE(sorted_list, hrli_, unlink, true), /* the list itself is not looked at */
    QUEUE(thesis_heap, bench_, pop, false),
    QUEUE(thesis_red_black_tree, bench_, pop, false),
    {NULL, NULL, NULL, NULL, NULL, NULL, false},
};
