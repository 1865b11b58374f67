/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_case.h"
#include "binary_tree.h"
#include "bucket.h"
#include "delta_list.h"
#include "red_black_tree.h"
#include "sorted_list.h"
#include "thesis_red_black_tree.h"
#include "tree_234.h"

/*
 * The queues that can be measured: below a line for the storage and how it is made empty, and one in the
 * table; and one in QUEUES of src/horolog/bench/queues.py. The storage is called bench_storage_<queue>:
 * its size is the queue's RAM.
 */
#define STORAGE(queue, ...)                                                                        \
    struct hrli_##queue bench_storage_##queue;                                                     \
    static void init_##queue(void)                                                                 \
    {                                                                                              \
        hrli_##queue##_init(&bench_storage_##queue __VA_ARGS__);                                   \
    }

struct hrli_tree_234_node bench_array_tree_234[HRLI_TREE_234_NODES(BENCH_CAPACITY)];
struct bench_thesis_red_black_tree bench_storage_thesis_red_black_tree;

STORAGE(sorted_list)
STORAGE(delta_list)
STORAGE(bucket)
STORAGE(binary_tree)
STORAGE(red_black_tree)
STORAGE(tree_234, , bench_array_tree_234, BENCH_CAPACITY)

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
    QUEUE(sorted_list, hrli_, remove, true),
    QUEUE(delta_list, hrli_, pop, false),
    QUEUE(bucket, hrli_, remove, false),
    QUEUE(binary_tree, hrli_, pop, false),
    QUEUE(red_black_tree, hrli_, pop, false),
    QUEUE(tree_234, hrli_, pop, false),
    QUEUE(thesis_red_black_tree, bench_, pop, false),
    {NULL, NULL, NULL, NULL, NULL, NULL, false},
};
