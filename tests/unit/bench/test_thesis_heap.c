/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "stamp.h"
#include "thesis_heap.h"
#include "with_cmocka.h"

enum { NODES = 150 };

static void test_keys_come_out_in_order(void **state)
{
    struct random random = {9};
    struct hrli_queue_node nodes[NODES];
    struct hrli_queue_node *storage[NODES];
    struct bench_thesis_heap heap;

    (void)state;
    bench_thesis_heap_init(&heap, storage, NODES);
    for (int round = 0; round < 1000; round++) {
        size_t count = random_between(&random, 1, NODES);
        hrl_stamp start = random_next(&random);
        hrl_stamp last = start;

        for (size_t i = 0; i < count; i++) {
            struct hrli_queue_node *before = bench_thesis_heap_first(&heap);

            nodes[i].key = start + random_below(&random, i % 2 == 0 ? 50 : 0x7FFFFFFF);
            assert_int_equal(bench_thesis_heap_insert(&heap, &nodes[i]),
                             before == NULL || hrli_stamp_after(before->key, nodes[i].key));
        }
        for (size_t i = 0; i < count; i++) {
            struct hrli_queue_node *first = bench_thesis_heap_first(&heap);

            assert_false(hrli_stamp_after(last, first->key));
            last = first->key;
            bench_thesis_heap_pop(&heap, first);
        }
        assert_null(bench_thesis_heap_first(&heap));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_keys_come_out_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
