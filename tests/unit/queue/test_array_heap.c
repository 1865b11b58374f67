/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array_heap.h"
#include "arrival.h"
#include "queue_campaign.h"
#include "queue_model.h"
#include "store.h"
#include "with_cmocka.h"
#include <hrl/hooks.h>
#include <stdlib.h>

HRLI_QUEUE_CALLS(array_heap)

/*
 * What is the array heap's own. That it keeps the contract of delay queues is shown by
 * tests/conform/queue.
 */
static struct hrli_array_heap heap;
static struct hrli_queue_node *storage[MODEL_NODES];

void hrl_assert_hook(const char *reason, const char *file, int line)
{
    mock_assert(0, reason, file, line);
    abort(); /* mock_assert returns to expect_assert_failure only */
}

static void start(void)
{
    hrli_array_heap_init(&heap, storage, MODEL_NODES);
}

static void check(void *queue, size_t count)
{
    (void)queue;
    CAMPAIGN_CHECK(heap.count == count);
    for (size_t i = 0; i < count; i++) {
        CAMPAIGN_CHECK(storage[i]->spare[0] == i);
        CAMPAIGN_CHECK(i == 0 || hrli_arrival_before(storage[(i - 1) / 2], storage[i]));
    }
}

static const struct queue_campaign campaign = {&heap,          array_heap_insert, array_heap_first,
                                               array_heap_pop, array_heap_remove, check};

static uint64_t operations;

static void test_random_operations(void **state)
{
    (void)state;
    start();
    queue_campaign_random(&campaign, operations);
}

static void test_adversarial_orders(void **state)
{
    (void)state;
    start();
    queue_campaign_orders(&campaign, 300, 1024);
}

static void test_fifo_outlives_the_low_word_of_the_arrivals(void **state)
{
    struct hrli_queue_node nodes[20];

    (void)state;
    start();
    heap.arrivals = UINT32_MAX - 9u;
    for (int i = 0; i < 20; i++) {
        nodes[i].key = 5;
        assert_int_equal(hrli_array_heap_insert(&heap, &nodes[i]), i == 0);
    }
    for (int i = 0; i < 20; i++) {
        assert_ptr_equal(hrli_array_heap_first(&heap), &nodes[i]);
        hrli_array_heap_pop(&heap, &nodes[i]);
    }
    assert_null(hrli_array_heap_first(&heap));
}

static void test_a_node_too_many_stops(void **state)
{
    struct hrli_queue_node nodes[3] = {{.key = 1}, {.key = 2}, {.key = 3}};

    (void)state;
    hrli_array_heap_init(&heap, storage, 2);
    (void)hrli_array_heap_insert(&heap, &nodes[0]);
    (void)hrli_array_heap_insert(&heap, &nodes[1]);
    expect_assert_failure((void)hrli_array_heap_insert(&heap, &nodes[2]));
}

static void test_a_node_that_replaces_a_removed_one_may_rise(void **state)
{
    /* In array order; 50's place is taken by 12, which goes before 40. */
    static const hrl_stamp keys[] = {10, 40, 11, 50, 60, 13, 12};
    struct hrli_queue_node nodes[7];

    (void)state;
    start();
    for (int i = 0; i < 7; i++) {
        nodes[i].key = keys[i];
        (void)hrli_array_heap_insert(&heap, &nodes[i]);
        assert_ptr_equal(storage[i], &nodes[i]);
    }
    hrli_array_heap_remove(&heap, &nodes[3]);
    assert_ptr_equal(storage[1], &nodes[6]);
    assert_ptr_equal(storage[3], &nodes[1]);
    check(&heap, 6);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_operations),
        cmocka_unit_test(test_adversarial_orders),
        cmocka_unit_test(test_fifo_outlives_the_low_word_of_the_arrivals),
        cmocka_unit_test(test_a_node_too_many_stops),
        cmocka_unit_test(test_a_node_that_replaces_a_removed_one_may_rise),
    };
    operations = queue_campaign_operations(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
