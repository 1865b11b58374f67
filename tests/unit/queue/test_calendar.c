/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "calendar.h"
#include "queue_exercise.h"
#include "stamp.h"
#include "with_cmocka.h"

/*
 * What is the calendar's own: the chain and the tree agree with the list. That it keeps the contract of delay
 * queues is shown by tests/conform/queue.
 */
enum { EARLIER = HRLI_INSTANT_EARLIER, LATER = HRLI_INSTANT_LATER, PLACE = HRLI_INSTANT_PLACE };

static struct hrli_calendar calendar;

/* What comes next in the list that is an instant, from `node` on. */
static const struct hrli_queue_node *instant_from(const struct hrli_queue_node *node)
{
    while (node != &calendar.head && node->spare[PLACE] == HRLI_CALENDAR_COVERED) {
        node = node->next;
    }
    return node;
}

/* The tree's instants below `node`, in the order of the list from `*expected` on. Returns the height. */
static int check_tree(const struct hrli_queue_node *above, int side,
                      const struct hrli_queue_node **expected)
{
    const struct hrli_queue_node *node = hrli_instant_below(above, side);
    int earlier, later;

    if (node == NULL) {
        return 0;
    }
    assert_ptr_equal(hrli_instant_above(node), above);
    earlier = check_tree(node, EARLIER, expected);
    assert_ptr_equal(node, *expected);
    *expected = instant_from(node->next);
    later = check_tree(node, LATER, expected);
    assert_in_range(later - earlier + 1, 0, 2);
    return 1 + (later > earlier ? later : earlier);
}

static void check(void *queue, size_t n)
{
    const struct hrli_queue_node *head = &((struct hrli_calendar *)queue)->head;
    const struct hrli_queue_node *expected = instant_from(head->next);
    const struct hrli_queue_node *chained = (const struct hrli_queue_node *)head->spare[LATER];
    size_t count = 0;

    for (struct hrli_queue_node *node = head->next; node != head; node = node->next) {
        bool begins = node->previous == head || node->previous->key != node->key;

        assert_ptr_equal(node->next->previous, node);
        assert_true(node->next == head || !hrli_stamp_after(node->key, node->next->key));
        if (!begins) { /* an instant is known by the first of its run */
            assert_int_equal(node->spare[PLACE], HRLI_CALENDAR_COVERED);
        } else if (node->spare[PLACE] ==
                   HRLI_CALENDAR_COVERED) { /* the rest of a run is the first */
            assert_ptr_equal(node, head->next);
        }
        count++;
    }
    assert_int_equal(count, n);
    for (count = 0; chained != head; count++) {
        assert_ptr_equal(chained, expected);
        assert_int_equal(chained->spare[PLACE], HRLI_CALENDAR_CHAINED);
        assert_ptr_equal(((const struct hrli_queue_node *)chained->spare[LATER])->spare[EARLIER],
                         chained);
        chained = (const struct hrli_queue_node *)chained->spare[LATER];
        expected = instant_from(expected->next);
    }
    assert_int_equal(calendar.chained, count);
    assert_true(count <= HRLI_CALENDAR_NEXT);
    assert_ptr_equal(calendar.distant, expected == head ? NULL : expected);
    (void)check_tree(&calendar.tree, EARLIER, &expected);
    assert_ptr_equal(expected, head);
}

static bool insert(void *queue, struct hrli_queue_node *node)
{
    return hrli_calendar_insert(queue, node);
}

static struct hrli_queue_node *first(void *queue)
{
    return hrli_calendar_first(queue);
}

static void pop(void *queue, struct hrli_queue_node *node)
{
    hrli_calendar_pop(queue, node);
}

static void take(void *queue, struct hrli_queue_node *node)
{
    hrli_calendar_remove(queue, node);
}

static void test_the_calendar_agrees_with_the_list_after_every_operation(void **state)
{
    const struct queue_exercise exercise = {&calendar, insert, first, pop, take, check};

    (void)state;
    hrli_calendar_init(&calendar);
    queue_exercise(&exercise, 30000);
}

static void put(struct hrli_queue_node *node, hrl_stamp key)
{
    node->key = key;
    (void)hrli_calendar_insert(&calendar, node);
}

/* A chain up to its limit, a tree behind it from there on, in whatever order they come. */
static void test_the_next_instants_are_a_chain_and_those_after_them_a_tree(void **state)
{
    enum { CROWD = 300 };
    static struct hrli_queue_node nodes[CROWD];

    (void)state;
    for (int order = 0; order < 3; order++) {
        hrli_calendar_init(&calendar);
        for (uint32_t i = 0; i < CROWD; i++) {
            put(&nodes[i], 9 * (order == 0 ? i : order == 1 ? CROWD - 1 - i : i * 7 % CROWD));
            check(&calendar, i + 1);
            assert_int_equal(calendar.distant != NULL, i >= HRLI_CALENDAR_NEXT);
        }
        for (size_t i = CROWD; i > 0; i--) {
            hrli_calendar_pop(&calendar, hrli_calendar_first(&calendar));
            check(&calendar, i - 1);
        }
    }
}

/* What is left of a run is no instant; an earlier key makes it one again, also when the chain is full. */
static void test_a_key_before_a_run_that_is_being_popped(void **state)
{
    static struct hrli_queue_node nodes[HRLI_CALENDAR_NEXT + 4], earlier[2];
    const size_t n = HRLI_CALENDAR_NEXT + 4;

    (void)state;
    for (int full = 0; full < 2; full++) {
        size_t in = full ? n : 3;

        hrli_calendar_init(&calendar);
        for (uint32_t i = 0; i < in; i++) {
            put(&nodes[i], i < 3 ? 100 : 100 + i);
        }
        hrli_calendar_pop(&calendar, &nodes[0]);
        check(&calendar, in - 1);
        put(&nodes[0], 100); /* the same instant: behind the rest */
        assert_ptr_equal(nodes[0].previous, &nodes[2]);
        put(&earlier[0], 90);
        check(&calendar, in + 1);
        assert_ptr_equal(hrli_calendar_first(&calendar), &earlier[0]);
        assert_ptr_equal(earlier[0].next, &nodes[1]);
        put(&earlier[1], 95);
        check(&calendar, in + 2);
        assert_ptr_equal(earlier[0].next, &earlier[1]);
    }
}

/* The last insertion is where the next of the same key goes, but only while it is in. */
static void test_the_last_insertion_is_forgotten_when_it_leaves(void **state)
{
    struct hrli_queue_node node[4];

    (void)state;
    for (int how = 0; how < 2; how++) {
        hrli_calendar_init(&calendar);
        put(&node[0], 500);
        put(&node[1], 100);
        if (how == 0) {
            hrli_calendar_pop(&calendar, &node[1]);
        } else {
            hrli_calendar_remove(&calendar, &node[1]);
        }
        put(&node[2], 100);
        assert_ptr_equal(hrli_calendar_first(&calendar), &node[2]);
        check(&calendar, 2);
        put(&node[3], 100);
        assert_ptr_equal(node[2].next, &node[3]);
        hrli_calendar_remove(&calendar, &node[3]); /* the run goes on without it */
        put(&node[1], 100);
        assert_ptr_equal(node[2].next, &node[1]);
        check(&calendar, 3);
        hrli_calendar_remove(&calendar, &node[0]);
        hrli_calendar_remove(&calendar, &node[2]);
        hrli_calendar_remove(&calendar, &node[1]);
        check(&calendar, 0);
        put(&node[1], 100);
        check(&calendar, 1);
    }
}

/* No key finds the one that was removed: not even those at the ends of what may be in with the first. */
static void test_no_key_takes_a_removed_node_for_the_last_insertion(void **state)
{
    const hrl_stamp keys[] = {
        100u, 99u, 101u, 100u + INT32_MAX - 1u, 100u - (INT32_MAX - 1u), 100u + (1u << 31)};

    (void)state;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        for (int stays = 0; stays < 2; stays++) {
            struct hrli_queue_node node[3];

            if (keys[k] == 100u + (1u << 31) && stays) {
                continue; /* too far from what is in */
            }
            hrli_calendar_init(&calendar);
            put(&node[0], 100);
            put(&node[1], 100u + 7u);
            hrli_calendar_remove(&calendar, &node[1]);
            if (!stays) {
                hrli_calendar_pop(&calendar, &node[0]);
            }
            put(&node[2], keys[k]);
            check(&calendar, stays ? 2 : 1);
        }
    }
}

/* The fuzzer's find: keys as far before the base as the contract allows, again and again. */
static void test_time_may_run_backwards_by_the_whole_horizon(void **state)
{
    struct hrli_queue_node nodes[12];
    hrl_stamp key = 100;

    (void)state;
    hrli_calendar_init(&calendar);
    put(&nodes[0], key);
    for (size_t i = 1; i < 12; i++) {
        key -= INT32_MAX - 1u; /* as far as keys may be apart */
        nodes[i].key = key;
        assert_true(hrli_calendar_insert(&calendar, &nodes[i]));
        check(&calendar, 2);
        hrli_calendar_remove(&calendar, &nodes[i - 1]);
        check(&calendar, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_calendar_agrees_with_the_list_after_every_operation),
        cmocka_unit_test(test_the_next_instants_are_a_chain_and_those_after_them_a_tree),
        cmocka_unit_test(test_a_key_before_a_run_that_is_being_popped),
        cmocka_unit_test(test_the_last_insertion_is_forgotten_when_it_leaves),
        cmocka_unit_test(test_no_key_takes_a_removed_node_for_the_last_insertion),
        cmocka_unit_test(test_time_may_run_backwards_by_the_whole_horizon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
