/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "arrival.h"
#include "pairing_heap.h"
#include "queue_campaign.h"
#include "queue_model.h"
#include "store.h"
#include "with_cmocka.h"

HRLI_QUEUE_CALLS(pairing_heap)

/*
 * What is the pairing heap's own. That it keeps the contract of delay queues is shown by
 * tests/conform/queue.
 */
static struct hrli_pairing_heap heap;

static void start(void)
{
    hrli_pairing_heap_init(&heap);
}

static struct hrli_queue_node *child_of(const struct hrli_queue_node *node)
{
    return (struct hrli_queue_node *)node->spare[0];
}

/* Each node behind its parent, each link with its counterpart, and no node lost. */
static void check(void *queue, size_t count)
{
    static struct hrli_queue_node *to_visit[MODEL_NODES];
    size_t waiting = 0;
    size_t seen = 0;

    (void)queue;
    if (heap.root != NULL) {
        to_visit[waiting++] = heap.root;
    }
    while (waiting != 0) {
        struct hrli_queue_node *parent = to_visit[--waiting];
        struct hrli_queue_node *before = parent;

        seen++;
        for (struct hrli_queue_node *child = child_of(parent); child != NULL; child = child->next) {
            CAMPAIGN_CHECK(child->previous == before);
            CAMPAIGN_CHECK(hrli_arrival_before(parent, child));
            CAMPAIGN_CHECK(waiting < MODEL_NODES);
            to_visit[waiting++] = child;
            before = child;
        }
    }
    CAMPAIGN_CHECK(seen == count);
}

static const struct queue_campaign campaign = {
    &heap, pairing_heap_insert, pairing_heap_first, pairing_heap_pop, pairing_heap_remove, check};

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
        assert_int_equal(hrli_pairing_heap_insert(&heap, &nodes[i]), i == 0);
    }
    for (int i = 0; i < 20; i++) {
        assert_ptr_equal(hrli_pairing_heap_first(&heap), &nodes[i]);
        hrli_pairing_heap_pop(&heap, &nodes[i]);
    }
    assert_null(hrli_pairing_heap_first(&heap));
}

static size_t children(const struct hrli_queue_node *node)
{
    size_t count = 0;

    for (node = child_of(node); node != NULL; node = node->next) {
        count++;
    }
    return count;
}

static void test_two_passes_halve_the_children(void **state)
{
    struct hrli_queue_node nodes[65];

    (void)state;
    start();
    for (hrl_stamp i = 0; i < 65; i++) {
        nodes[i].key = i;
        (void)hrli_pairing_heap_insert(&heap, &nodes[i]);
    }
    assert_int_equal(children(heap.root), 64);
    hrli_pairing_heap_pop(&heap, heap.root);
    assert_ptr_equal(heap.root, &nodes[1]); /* in the last pair, which all others join */
    assert_int_equal(children(heap.root), 32);
    hrli_pairing_heap_pop(&heap, heap.root);
    assert_int_equal(children(heap.root), 16);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_operations),
        cmocka_unit_test(test_adversarial_orders),
        cmocka_unit_test(test_fifo_outlives_the_low_word_of_the_arrivals),
        cmocka_unit_test(test_two_passes_halve_the_children),
    };
    operations = queue_campaign_operations(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
