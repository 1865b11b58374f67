/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "sorted_list.h"
#include "with_cmocka.h"

/*
 * What is the sorted list's own. That it keeps the contract of delay queues is shown by
 * tests/conform/queue.
 */
static void test_the_ring_is_whole_after_every_operation(void **state)
{
    struct hrli_sorted_list list;
    struct hrli_queue_node nodes[3] = {{.key = 30}, {.key = 10}, {.key = 20}};

    (void)state;
    hrli_sorted_list_init(&list);
    for (int i = 0; i < 3; i++) {
        (void)hrli_sorted_list_insert(&list, &nodes[i]);
    }
    assert_ptr_equal(list.head.next, &nodes[1]);
    assert_ptr_equal(nodes[1].next, &nodes[2]);
    assert_ptr_equal(nodes[2].next, &nodes[0]);
    assert_ptr_equal(nodes[0].next, &list.head);
    assert_ptr_equal(list.head.previous, &nodes[0]);
    assert_ptr_equal(nodes[0].previous, &nodes[2]);
    assert_ptr_equal(nodes[2].previous, &nodes[1]);
    assert_ptr_equal(nodes[1].previous, &list.head);
}

static void test_an_only_node_leaves_an_empty_list(void **state)
{
    struct hrli_sorted_list list;
    struct hrli_queue_node node = {.key = 1};

    (void)state;
    hrli_sorted_list_init(&list);
    assert_true(hrli_sorted_list_insert(&list, &node));
    hrli_sorted_list_remove(&list, &node);
    assert_null(hrli_sorted_list_first(&list));
}

static void test_ram_is_one_node(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct hrli_sorted_list), sizeof(struct hrli_queue_node));
}

/* As taking it out and putting it in again, from either end, over the wrap of stamps. */
static void test_the_first_is_put_off(void **state)
{
    enum { NODES = 8 };
    struct hrli_sorted_list list, other;
    struct hrli_queue_node nodes[NODES], others[NODES];
    struct random random = {1};

    (void)state;
    hrli_sorted_list_init(&list);
    hrli_sorted_list_init(&other);
    for (unsigned i = 0; i < NODES; i++) {
        nodes[i] = (struct hrli_queue_node){.key = 0u - 1000u + random_below(&random, 20)};
        others[i] = nodes[i];
        nodes[i].spare[0] = i % 2;
        (void)hrli_sorted_list_insert(&list, &nodes[i]);
        (void)hrli_sorted_list_insert(&other, &others[i]);
    }
    for (unsigned step = 0; step < 2000; step++) {
        struct hrli_queue_node *first = hrli_sorted_list_first(&list);
        struct hrli_queue_node *node = hrli_sorted_list_first(&other);
        struct hrli_queue_node *previous = &list.head;
        hrl_stamp key = first->key + random_below(&random, 12);

        hrli_sorted_list_put_off(&list, first, key);
        hrli_sorted_list_pop(&other, node);
        node->key = key;
        (void)hrli_sorted_list_insert(&other, node);
        node = other.head.next;
        for (first = list.head.next; first != &list.head; first = first->next) {
            assert_int_equal(first - nodes, node - others);
            assert_ptr_equal(first->previous, previous);
            previous = first;
            node = node->next;
        }
        assert_ptr_equal(list.head.previous, previous);
        assert_ptr_equal(node, &other.head);
    }
}

/* From either end a node comes to the same place, over the wrap of stamps. */
static void test_both_ends_lead_to_the_same_place(void **state)
{
    enum { NODES = 8 };
    struct hrli_sorted_list list, other;
    struct hrli_queue_node nodes[NODES], others[NODES];
    struct random random = {2};

    (void)state;
    for (unsigned step = 0; step < 500; step++) {
        hrli_sorted_list_init(&list);
        hrli_sorted_list_init(&other);
        for (unsigned i = 0; i < NODES; i++) {
            struct hrli_queue_node *node;

            nodes[i] = (struct hrli_queue_node){.key = 0u - 10u + random_below(&random, 20)};
            others[i] = nodes[i];
            nodes[i].spare[0] = random_below(&random, 2);
            assert_int_equal(hrli_sorted_list_put(&list, &nodes[i], nodes[i].key),
                             hrli_sorted_list_insert(&other, &others[i]));
            node = list.head.previous;
            for (struct hrli_queue_node *it = other.head.previous; it != &other.head;) {
                assert_int_equal(node - nodes, it - others);
                assert_ptr_equal(node->next->previous, node);
                node = node->previous;
                it = it->previous;
            }
            assert_ptr_equal(node, &list.head);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_ring_is_whole_after_every_operation),
        cmocka_unit_test(test_an_only_node_leaves_an_empty_list),
        cmocka_unit_test(test_ram_is_one_node),
        cmocka_unit_test(test_the_first_is_put_off),
        cmocka_unit_test(test_both_ends_lead_to_the_same_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
