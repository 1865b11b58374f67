/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "calendar.h"
#include "queue_exercise.h"
#include "stamp.h"
#include "with_cmocka.h"

/*
 * What is the calendar's own: the index agrees with the list. That it keeps the contract of delay queues is
 * shown by tests/conform/queue.
 */
enum { SLOTS = 64 };

static struct hrli_calendar calendar;
static hrli_instant_link slots[SLOTS];
static uint32_t occupied[HRLI_CALENDAR_WORDS(SLOTS)];
static size_t instants; /* nodes seen in sets */

/* `node` is an instant of the list, later than `before`. */
static const struct hrli_queue_node *check_instant(const struct hrli_queue_node *node,
                                                   const struct hrli_queue_node *before)
{
    assert_true(before == NULL || hrli_stamp_after(node->key, before->key));
    assert_true(node->next == &calendar.head || node->next->key != node->key);
    instants++;
    return node;
}

/* In order, by keys alone. */
static const struct hrli_queue_node *check_tree(hrli_instant_link link,
                                                const struct hrli_queue_node *before)
{
    const struct hrli_queue_node *root = hrli_instant_node(link);

    if (root == NULL) {
        return before;
    }
    before = check_tree(root->spare[HRLI_INSTANT_EARLIER], before);
    return check_tree(root->spare[HRLI_INSTANT_LATER], check_instant(root, before));
}

static const struct hrli_queue_node *check_set(hrli_instant_link set,
                                               const struct hrli_queue_node *before)
{
    const struct hrli_queue_node *chain[3];
    size_t length = 0;

    if ((set & HRLI_INSTANT_BITS) != 0) {
        assert_non_null(hrli_instant_node(set));
        return check_tree(set, before);
    }
    for (; set != 0; set = chain[length++]->spare[HRLI_INSTANT_EARLIER]) {
        assert_true(length < 3);
        chain[length] = (const struct hrli_queue_node *)set;
        assert_int_equal(chain[length]->spare[HRLI_INSTANT_LATER], 0);
    }
    while (length > 0) {
        before = check_instant(chain[--length], before);
    }
    return before;
}

static void check(void *queue, size_t n)
{
    const struct hrli_queue_node *head = &((struct hrli_calendar *)queue)->head;
    const struct hrli_queue_node *before = NULL;
    uint32_t begin = calendar.base >> calendar.shift;
    const struct hrli_queue_node *last = NULL; /* that is not loose */
    size_t count = 0, runs = 0, loose = 0, near;

    for (struct hrli_queue_node *node = head->next; node != head; node = node->next) {
        assert_ptr_equal(node->next->previous, node);
        assert_true(node->next == head || !hrli_stamp_after(node->key, node->next->key));
        bool is_last = node->next == head || node->next->key != node->key;

        if (hrli_calendar_is_loose(node)) { /* before all others of its run */
            assert_true(node->previous == head || node->previous->key != node->key ||
                        hrli_calendar_is_loose(node->previous));
            loose++;
        } else {
            runs += is_last;
            last = node;
        }
        count++;
    }
    assert_int_equal(loose, calendar.loose);
    assert_true(loose <= HRLI_CALENDAR_MOST_LOOSE);
    assert_int_equal(count, n);
    instants = 0;
    for (uint32_t i = 0; i < SLOTS; i++) {
        uint32_t slot = (begin + i) % SLOTS;
        bool marked = (occupied[slot / 32] >> (slot % 32) & 1u) != 0;

        assert_int_equal(slots[slot] != 0, marked);
        before = check_set(slots[slot], before); /* slots follow one another */
    }
    for (uint32_t word = 0; word < HRLI_CALENDAR_WORDS(SLOTS); word++) {
        assert_int_equal(calendar.words_occupied >> word & 1u, occupied[word] != 0);
    }
    if (before != NULL) { /* from the origin on, as stamps may be too far apart to compare */
        assert_true((int32_t)(before->key - calendar.origin) <
                    (int32_t)(calendar.limit - calendar.origin));
    }
    near = instants;
    (void)check_set(calendar.far, before);
    assert_int_equal(instants, runs);
    assert_true(calendar.direct == 0 || calendar.limit - calendar.base == calendar.direct);
    assert_true(near == runs || (int32_t)(last->key - calendar.origin) >=
                                    (int32_t)(calendar.limit - calendar.origin));
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

static bool insert_loose(void *queue, struct hrli_queue_node *node)
{
    return hrli_loose_calendar_insert(queue, node);
}

static void pop_loose(void *queue, struct hrli_queue_node *node)
{
    hrli_loose_calendar_pop(queue, node);
}

static void take_loose(void *queue, struct hrli_queue_node *node)
{
    hrli_loose_calendar_remove(queue, node);
}

static void test_the_same_while_some_nodes_are_loose(void **state)
{
    const struct queue_exercise exercise = {&calendar, insert_loose, first,
                                            pop_loose, take_loose,   check};

    (void)state;
    for (uint32_t shift = 0; shift <= 24; shift += 3) {
        hrli_calendar_init(&calendar, slots, occupied, SLOTS, shift);
        queue_exercise(&exercise, 10000);
    }
}

/* A short sleep among long ones, again and again, touches no slot. */
static void test_what_comes_and_goes_at_the_head_stays_loose(void **state)
{
    static struct hrli_queue_node nodes[101];
    struct hrli_queue_node *sleeper = &nodes[100];

    (void)state;
    hrli_calendar_init(&calendar, slots, occupied, SLOTS, 4);
    for (uint32_t i = 0; i < 100; i++) {
        nodes[i].key = 500 + 3 * i;
        (void)hrli_loose_calendar_insert(&calendar, &nodes[i]);
    }
    while (calendar.loose != 0) {
        hrli_loose_calendar_pop(&calendar, hrli_calendar_first(&calendar));
    }
    for (uint32_t now = 0; now < 300; now++) {
        sleeper->key = now + 10;
        assert_true(hrli_loose_calendar_insert(&calendar, sleeper));
        assert_true(hrli_calendar_is_loose(sleeper));
        assert_int_equal(calendar.loose, 1);
        hrli_loose_calendar_pop(&calendar, sleeper);
    }
}

static void test_the_index_agrees_with_the_list_after_every_operation(void **state)
{
    const struct queue_exercise exercise = {&calendar, insert, first, pop, take, check};

    (void)state;
    for (uint32_t shift = 0; shift <= 24; shift += 3) {
        hrli_calendar_init(&calendar, slots, occupied, SLOTS, shift);
        queue_exercise(&exercise, 10000);
    }
}

/* A chain of three, a tree from four on, in whatever order they come, and nothing when they have gone. */
static void test_crowded_slots_become_trees_and_empty_ones_nothing(void **state)
{
    enum { CROWD = 300 };
    static struct hrli_queue_node nodes[CROWD];
    const uint32_t steps[] = {1, 37, 250, 25000, 75000};

    (void)state;
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
        for (int order = 0; order < 3; order++) {
            hrli_calendar_init(&calendar, slots, occupied, SLOTS, s < 2 ? 20 : 4);
            for (uint32_t i = 0; i < CROWD; i++) {
                uint32_t at = order == 0 ? i : order == 1 ? CROWD - 1 - i : i * 7 % CROWD;
                nodes[i].key = at * steps[s];
                (void)hrli_calendar_insert(&calendar, &nodes[i]);
                check(&calendar, i + 1);
                if (s == 0) {
                    assert_int_equal((slots[0] & HRLI_INSTANT_BITS) != 0, i >= 3);
                }
            }
            for (size_t i = CROWD; i > 0; i--) {
                hrli_calendar_pop(&calendar, hrli_calendar_first(&calendar));
                check(&calendar, i - 1);
            }
        }
    }
}

static void put(struct hrli_queue_node *node, hrl_stamp key)
{
    node->key = key;
    (void)hrli_calendar_insert(&calendar, node);
}

/* What was far gets into slots as time goes on, so that the slots do not stay unused. */
static void test_far_instants_come_nearer(void **state)
{
    enum { TASKS = 40 };
    struct hrli_queue_node nodes[TASKS];

    (void)state;
    hrli_calendar_init(&calendar, slots, occupied, SLOTS, 4); /* a window of 1,024 counts */
    put(&nodes[0], 0);
    for (uint32_t i = 1; i < TASKS; i++) {
        put(&nodes[i], 3000 + 10 * i);
    }
    assert_true(hrli_instant_set_is_tree(calendar.far));
    for (hrl_stamp now = 0; now < 2980; now += 20) {
        hrli_calendar_pop(&calendar, &nodes[0]);
        put(&nodes[0], now + 20);
        check(&calendar, TASKS);
    }
    assert_int_equal(calendar.far, 0);
    assert_int_equal(calendar.direct, SLOTS << 4);
}

/* The fuzzer's find: keys as far before the base as the contract allows, again and again. */
static void test_time_may_run_backwards_by_the_whole_horizon(void **state)
{
    struct hrli_queue_node nodes[12];
    hrl_stamp key = 100;

    (void)state;
    for (uint32_t shift = 0; shift <= 24; shift += 4) {
        hrli_calendar_init(&calendar, slots, occupied, SLOTS, shift);
        nodes[0].key = key;
        assert_true(hrli_calendar_insert(&calendar, &nodes[0]));
        for (size_t i = 1; i < 12; i++) {
            key -= INT32_MAX - 1u; /* as far as keys may be apart */
            nodes[i].key = key;
            assert_true(hrli_calendar_insert(&calendar, &nodes[i]));
            check(&calendar, 2);
            hrli_calendar_remove(&calendar, &nodes[i - 1]);
            check(&calendar, 1);
        }
    }
}

/* Distances are taken from where all keys can be told from, also when what was first has gone. */
static void test_the_whole_horizon_before_a_base_that_lost_its_node(void **state)
{
    const hrl_stamp base = (hrl_stamp)1 << 30;
    struct hrli_queue_node node[5];

    (void)state;
    for (int after_removal = 0; after_removal < 2; after_removal++) {
        hrli_calendar_init(&calendar, slots, occupied, SLOTS, 24);
        put(&node[0], base + (5u << 20)); /* within the slot that begins at `base` */
        put(&node[1], base - 1);
        put(&node[2], base + 1);
        hrli_calendar_remove(&calendar, &node[0]);
        if (after_removal != 0) {
            hrli_calendar_remove(&calendar, &node[1]);
        }
        put(&node[3], base + 3 - ((hrl_stamp)1 << 31));
        check(&calendar, after_removal != 0 ? 2 : 3);
        assert_ptr_equal(hrli_calendar_first(&calendar), &node[3]);
        put(&node[4], base - 2);
        check(&calendar, after_removal != 0 ? 3 : 4);
    }
}

/* As before, with a base that has stepped back to where it is. */
static void test_the_whole_horizon_before_a_base_that_stepped_back(void **state)
{
    const hrl_stamp base = (hrl_stamp)1 << 30;
    struct hrli_queue_node node[6];

    (void)state;
    hrli_calendar_init(&calendar, slots, occupied, SLOTS, 24);
    put(&node[5], base + (9u << 24));
    put(&node[0], base + (5u << 20));
    put(&node[1], base - 1);
    hrli_calendar_remove(&calendar, &node[5]); /* all are before the base now */
    put(&node[2], base + 1);
    assert_int_equal(calendar.base, base);
    hrli_calendar_remove(&calendar, &node[0]);
    put(&node[3], base + 3 - ((hrl_stamp)1 << 31));
    check(&calendar, 3);
    assert_ptr_equal(hrli_calendar_first(&calendar), &node[3]);
    put(&node[4], base - 2);
    check(&calendar, 4);
}

/* At an instant all that are due are taken out before they go in again: what is left may be far ahead. */
static void test_slots_begin_where_the_next_insertion_is(void **state)
{
    struct hrli_queue_node node[3];

    (void)state;
    hrli_calendar_init(&calendar, slots, occupied, SLOTS, 4);
    put(&node[0], 100);
    put(&node[1], 2000); /* far */
    hrli_calendar_pop(&calendar, &node[0]);
    put(&node[0], 120);
    assert_int_equal(calendar.base, 112);
    put(&node[2], 130);
    assert_int_equal(hrli_instant_set_is_tree(slots[130 >> 4]), false);
    assert_ptr_equal((void *)slots[130 >> 4], &node[2]);
    check(&calendar, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_while_some_nodes_are_loose),
        cmocka_unit_test(test_what_comes_and_goes_at_the_head_stays_loose),
        cmocka_unit_test(test_the_index_agrees_with_the_list_after_every_operation),
        cmocka_unit_test(test_crowded_slots_become_trees_and_empty_ones_nothing),
        cmocka_unit_test(test_far_instants_come_nearer),
        cmocka_unit_test(test_the_whole_horizon_before_a_base_that_lost_its_node),
        cmocka_unit_test(test_the_whole_horizon_before_a_base_that_stepped_back),
        cmocka_unit_test(test_slots_begin_where_the_next_insertion_is),
        cmocka_unit_test(test_time_may_run_backwards_by_the_whole_horizon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
