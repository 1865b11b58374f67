/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "delta_list.h"
#include "queue_exercise.h"
#include "with_cmocka.h"

/*
 * What is the delta list's own. That it keeps the contract of delay queues is shown by
 * tests/conform/queue.
 */
static struct hrli_delta_list list;

static hrl_stamp delta_of(const struct hrli_queue_node *node)
{
    return (hrl_stamp)node->spare[HRLI_DELTA_LIST_DELTA];
}

/* The ring is whole, and the distances add up to the keys. */
static void check(void *queue, size_t n)
{
    struct hrli_queue_node *head = &((struct hrli_delta_list *)queue)->head;
    size_t count = 0;

    for (struct hrli_queue_node *node = head->next; node != head; node = node->next) {
        assert_ptr_equal(node->next->previous, node);
        if (node != head->next) {
            assert_int_equal(node->key, node->previous->key + delta_of(node));
            assert_true(node->spare[HRLI_DELTA_LIST_DELTA] <= INT32_MAX);
        }
        count++;
    }
    assert_ptr_equal(head->next->previous, head);
    assert_int_equal(count, n);
}

static bool insert(void *queue, struct hrli_queue_node *node)
{
    return hrli_delta_list_insert(queue, node);
}

static struct hrli_queue_node *first(void *queue)
{
    return hrli_delta_list_first(queue);
}

static void pop(void *queue, struct hrli_queue_node *node)
{
    hrli_delta_list_pop(queue, node);
}

static void take(void *queue, struct hrli_queue_node *node)
{
    hrli_delta_list_remove(queue, node);
}

static void test_distances_add_up_after_every_operation(void **state)
{
    const struct queue_exercise exercise = {&list, insert, first, pop, take, check};

    (void)state;
    hrli_delta_list_init(&list);
    queue_exercise(&exercise, 40000);
}

static void test_a_node_between_two_splits_their_distance(void **state)
{
    struct hrli_queue_node nodes[3] = {{.key = 100}, {.key = 130}, {.key = 110}};

    (void)state;
    hrli_delta_list_init(&list);
    assert_true(hrli_delta_list_insert(&list, &nodes[0]));
    assert_false(hrli_delta_list_insert(&list, &nodes[1]));
    assert_int_equal(delta_of(&nodes[1]), 30);
    assert_false(hrli_delta_list_insert(&list, &nodes[2]));
    assert_int_equal(delta_of(&nodes[2]), 10);
    assert_int_equal(delta_of(&nodes[1]), 20);
    hrli_delta_list_remove(&list, &nodes[2]);
    assert_int_equal(delta_of(&nodes[1]), 30);
}

static void test_a_new_first_gives_the_old_one_its_distance(void **state)
{
    struct hrli_queue_node nodes[2] = {{.key = 5}, {.key = UINT32_MAX - 4u}};

    (void)state;
    hrli_delta_list_init(&list);
    assert_true(hrli_delta_list_insert(&list, &nodes[0]));
    assert_true(hrli_delta_list_insert(&list, &nodes[1]));
    assert_int_equal(delta_of(&nodes[0]), 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances_add_up_after_every_operation),
        cmocka_unit_test(test_a_node_between_two_splits_their_distance),
        cmocka_unit_test(test_a_new_first_gives_the_old_one_its_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
