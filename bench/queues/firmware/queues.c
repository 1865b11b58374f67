/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_case.h"
#include "delay_queues.h"
#include "queue_calls.h"
#include "thesis_heap.h"
#include "thesis_red_black_tree.h"

/*
 * The queues that can be measured: those with a header that says how they are made (delay_queues.h,
 * which the build makes), and the thesis'. The storage is called <queue>_storage, its arrays
 * <queue>_storage_<word>: their sizes are the queue's RAM.
 */
enum { SLOTS = 128, SLOT_BITS = 15 /* 1.3 ms at 25 MHz */ };

#define STORAGE(queue) HRLI_QUEUE(queue##_storage, queue, BENCH_CAPACITY, SLOTS, SLOT_BITS)
HRLI_DELAY_QUEUES(STORAGE)

struct bench_thesis_heap thesis_heap_storage;
struct bench_thesis_red_black_tree thesis_red_black_tree_storage;
static struct hrli_queue_node *thesis_heap_storage_nodes[BENCH_CAPACITY];

static void thesis_heap_storage_init(void)
{
    bench_thesis_heap_init(&thesis_heap_storage, thesis_heap_storage_nodes, BENCH_CAPACITY);
}

static void thesis_red_black_tree_storage_init(void)
{
    bench_thesis_red_black_tree_init(&thesis_red_black_tree_storage);
}

#define QUEUE(queue, prefix)                                                                       \
    {                                                                                              \
#queue, &queue##_storage, queue##_storage_init, (bench_function)prefix##queue##_insert,    \
            (bench_function)prefix##queue##_first, (bench_function)prefix##queue##_pop             \
    }
#define KERNEL_QUEUE(queue) QUEUE(queue, hrli_),

const struct bench_queue bench_queues[] = {
    HRLI_DELAY_QUEUES(KERNEL_QUEUE) QUEUE(thesis_heap, bench_),
    QUEUE(thesis_red_black_tree, bench_),
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
