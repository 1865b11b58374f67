/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "leftist_heap.h"
#include "queue_campaign.h"
#include "queue_model.h"
#include "stamp.h"
#include "store.h"
#include "with_cmocka.h"

HRLI_QUEUE_CALLS(leftist_heap)

/*
 * What the leftist heap's own is. That it keeps the contract of delay queues is shown by
 * tests/conform/queue.
 */
static struct hrli_leftist_heap queue;

static void start(void)
{
    hrli_leftist_heap_init(&queue);
}

static uint32_t rank_of(const struct hrli_queue_node *node)
{
    return node == NULL ? 0 : (uint32_t)node->spare[1] & 0xFFu;
}

static bool is_in_order(const struct hrli_queue_node *a, const struct hrli_queue_node *b)
{
    uint64_t of_a = (uint64_t)a->spare[2] << 32 | (uint32_t)a->spare[1];
    uint64_t of_b = (uint64_t)b->spare[2] << 32 | (uint32_t)b->spare[1];

    return a->key == b->key ? of_a >> 8 < of_b >> 8 : hrli_stamp_after(b->key, a->key);
}

/* Of one node of the heap: its parent, its order, its rank. */
static void check_node(const struct hrli_queue_node *node)
{
    const struct hrli_queue_node *children[] = {node->previous, node->next};

    CAMPAIGN_CHECK(rank_of(children[0]) >= rank_of(children[1]));
    CAMPAIGN_CHECK(rank_of(node) == rank_of(children[1]) + 1);
    for (int side = 0; side < 2; side++) {
        if (children[side] != NULL) {
            CAMPAIGN_CHECK(children[side]->spare[0] == (uintptr_t)node);
            CAMPAIGN_CHECK(is_in_order(node, children[side]));
        }
    }
}

static size_t check_heap(const struct hrli_queue_node *last_listed)
{
    static const struct hrli_queue_node *to_visit[MODEL_NODES];
    size_t waiting = 0, seen = 0;

    if (queue.root != NULL) {
        CAMPAIGN_CHECK(queue.root->spare[0] == 0);
        CAMPAIGN_CHECK(!hrli_stamp_after(last_listed->key, queue.root->key));
        to_visit[waiting++] = queue.root;
    }
    while (waiting != 0) {
        const struct hrli_queue_node *node = to_visit[--waiting];

        seen++;
        check_node(node);
        CAMPAIGN_CHECK(waiting + 2 < MODEL_NODES);
        if (node->previous != NULL) {
            to_visit[waiting++] = node->previous;
        }
        if (node->next != NULL) {
            to_visit[waiting++] = node->next;
        }
    }
    return seen;
}

static void check(void *checked, size_t count)
{
    const struct hrli_queue_node *last = &queue.head;
    size_t listed = 0;

    (void)checked;
    for (const struct hrli_queue_node *node = queue.head.next; node != &queue.head;
         node = node->next) {
        CAMPAIGN_CHECK(node->previous == last);
        CAMPAIGN_CHECK(rank_of(node) == 0);
        CAMPAIGN_CHECK(last == &queue.head || !hrli_stamp_after(last->key, node->key));
        last = node;
        listed++;
    }
    CAMPAIGN_CHECK(queue.head.previous == last);
    CAMPAIGN_CHECK(listed == queue.listed && listed <= HRLI_LEFTIST_HEAP_LISTED);
    CAMPAIGN_CHECK(listed != 0 || queue.root == NULL);
    CAMPAIGN_CHECK(listed + check_heap(last) == count);
}

static const struct queue_campaign campaign = {
    &queue, leftist_heap_insert, leftist_heap_first, leftist_heap_pop, leftist_heap_remove, check};

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

/* Equal keys, of which some leave the list for the heap and come back, keep their order. */
static void test_fifo_through_list_and_heap(void **state)
{
    struct hrli_queue_node nodes[60], early[HRLI_LEFTIST_HEAP_LISTED];

    (void)state;
    for (int from = 0; from < 3; from++) {
        start();
        if (from == 1) { /* the low words of the numbers are about to run over */
            queue.after = (queue.after | 0xFFFFFFu) - 5u;
            queue.before = queue.before & ~(uint64_t)0xFFFFFFu;
        }
        for (int i = 0; i < 30; i++) {
            nodes[i].key = 500;
            assert_int_equal(hrli_leftist_heap_insert(&queue, &nodes[i]), i == 0);
        }
        for (int i = 0; i < HRLI_LEFTIST_HEAP_LISTED; i++) { /* all that are listed move */
            early[i].key = 5;
            assert_int_equal(hrli_leftist_heap_insert(&queue, &early[i]), i == 0);
        }
        for (int i = 30; i < 60; i++) {
            nodes[i].key = 500;
            assert_false(hrli_leftist_heap_insert(&queue, &nodes[i]));
        }
        for (int i = 0; i < HRLI_LEFTIST_HEAP_LISTED; i++) {
            assert_ptr_equal(hrli_leftist_heap_first(&queue), &early[i]);
            hrli_leftist_heap_pop(&queue, &early[i]);
        }
        for (int i = 0; i < 60; i++) {
            assert_ptr_equal(hrli_leftist_heap_first(&queue), &nodes[i]);
            hrli_leftist_heap_pop(&queue, &nodes[i]);
        }
        assert_null(hrli_leftist_heap_first(&queue));
    }
}

/*
 * An insertion into the heap moves one of the earliest back while the list is less than three quarters full, and
 * two only when few are left: a thread that sleeps is not preempted by another meanwhile.
 */
static void test_how_many_an_insertion_moves(void **state)
{
    struct hrli_queue_node nodes[2 * HRLI_LEFTIST_HEAP_LISTED], later[HRLI_LEFTIST_HEAP_LISTED];

    (void)state;
    start();
    for (uint32_t i = 0; i < 2 * HRLI_LEFTIST_HEAP_LISTED; i++) {
        nodes[i].key = 1000 - i; /* falling: the list is full, half of them go to the heap */
        (void)hrli_leftist_heap_insert(&queue, &nodes[i]);
    }
    assert_int_equal(queue.listed, HRLI_LEFTIST_HEAP_LISTED);
    for (uint32_t i = 0; i < HRLI_LEFTIST_HEAP_LISTED; i++) {
        uint32_t listed = queue.listed, moved;

        later[i].key = 2000 + i;
        assert_false(hrli_leftist_heap_insert(&queue, &later[i]));
        moved = queue.listed - listed;
        assert_int_equal(moved, listed >= HRLI_LEFTIST_HEAP_LISTED * 3 / 4 ? 0
                                : listed >= HRLI_LEFTIST_HEAP_LISTED / 4   ? 1
                                                                           : 2);
        for (uint32_t pops = 0; pops < 3 && queue.listed > 1; pops++) { /* it falls to one */
            hrli_leftist_heap_pop(&queue, hrli_leftist_heap_first(&queue));
        }
    }
    assert_int_equal(queue.listed, 1);
}

/* Of n nodes no way to the right is longer than log2(n + 1). */
static void test_ranks_are_logarithmic(void **state)
{
    static struct hrli_queue_node nodes[1000 + HRLI_LEFTIST_HEAP_LISTED];

    (void)state;
    for (int order = 0; order < 3; order++) {
        start();
        for (hrl_stamp i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
            nodes[i].key = order == 0 ? i : order == 1 ? 5000u - i : i * 2654435769u >> 12;
            (void)hrli_leftist_heap_insert(&queue, &nodes[i]);
        }
        assert_in_range(rank_of(queue.root), 1, 9);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_operations),
        cmocka_unit_test(test_adversarial_orders),
        cmocka_unit_test(test_how_many_an_insertion_moves),
        cmocka_unit_test(test_fifo_through_list_and_heap),
        cmocka_unit_test(test_ranks_are_logarithmic),
    };
    operations = queue_campaign_operations(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
