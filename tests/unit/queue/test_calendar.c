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
static struct hrli_queue_node *slots[SLOTS];
static uint32_t occupied[HRLI_CALENDAR_WORDS(SLOTS)];
static size_t instants; /* nodes seen in trees */
static unsigned deepest;

/* In order, by keys alone; each is the last of its run. */
static const struct hrli_queue_node *
check_tree(const struct hrli_queue_node *root, const struct hrli_queue_node *before, unsigned depth)
{
    if (root == NULL) {
        return before;
    }
    deepest = depth > deepest ? depth : deepest;
    before = check_tree((const struct hrli_queue_node *)root->spare[0], before, depth + 1);
    assert_true(before == NULL || hrli_stamp_after(root->key, before->key));
    assert_true(root->next == &calendar.head || root->next->key != root->key);
    instants++;
    return check_tree((const struct hrli_queue_node *)root->spare[1], root, depth + 1);
}

static void check(void *queue, size_t n)
{
    const struct hrli_queue_node *head = &((struct hrli_calendar *)queue)->head;
    const struct hrli_queue_node *before = NULL;
    uint32_t begin = calendar.base >> calendar.shift;
    size_t count = 0, runs = 0;

    for (struct hrli_queue_node *node = head->next; node != head; node = node->next) {
        assert_ptr_equal(node->next->previous, node);
        assert_true(node->next == head || !hrli_stamp_after(node->key, node->next->key));
        runs += node->next == head || node->next->key != node->key;
        count++;
    }
    assert_int_equal(count, n);
    instants = 0;
    deepest = 0;
    for (uint32_t i = 0; i < SLOTS; i++) {
        uint32_t slot = (begin + i) % SLOTS;
        bool marked = (occupied[slot / 32] >> (slot % 32) & 1u) != 0;

        assert_int_equal(slots[slot] != NULL, marked);
        before = check_tree(slots[slot], before, 1); /* slots follow one another */
    }
    if (before != NULL) { /* from the earliest key on, as stamps may be too far apart to compare */
        hrl_stamp earliest = head->next->key;

        assert_true(before->key - earliest < calendar.limit - earliest);
        assert_true(calendar.far == NULL ||
                    calendar.far_first->key - earliest >= calendar.limit - earliest);
    }
    for (uint32_t word = 0; word < HRLI_CALENDAR_WORDS(SLOTS); word++) {
        assert_int_equal(calendar.words_occupied >> word & 1u, occupied[word] != 0);
    }
    before = check_tree(calendar.far, before, 1);
    assert_int_equal(instants, runs);
    if (calendar.far != NULL) {
        assert_int_equal(calendar.far_first->spare[0], 0);
    } else {
        assert_null(calendar.far_first);
    }
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

static void test_the_index_agrees_with_the_list_after_every_operation(void **state)
{
    const struct queue_exercise exercise = {&calendar, insert, first, pop, take, check};

    (void)state;
    for (uint32_t shift = 0; shift <= 24; shift += 3) {
        hrli_calendar_init(&calendar, slots, occupied, SLOTS, shift);
        queue_exercise(&exercise, 10000);
    }
}

/* In whatever order they come, all distinct and all in one slot, or all far. */
static void test_crowded_trees_stay_shallow(void **state)
{
    enum { CROWD = 1500 };
    static struct hrli_queue_node nodes[CROWD];
    const uint32_t steps[] = {1, 37, 250, 25000, 75000};

    (void)state;
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
        for (int order = 0; order < 3; order++) {
            hrli_calendar_init(&calendar, slots, occupied, SLOTS, s < 2 ? 20 : 4);
            for (uint32_t i = 0; i < CROWD; i++) {
                uint32_t at = order == 0 ? i : order == 1 ? CROWD - 1 - i : i * 701 % CROWD;
                nodes[i].key = at * steps[s];
                (void)hrli_calendar_insert(&calendar, &nodes[i]);
            }
            check(&calendar, CROWD);
            assert_true(deepest <= 40); /* a random tree of so many is 25 to 30 deep */
            for (uint32_t i = 0; i < CROWD; i++) {
                hrli_calendar_pop(&calendar, hrli_calendar_first(&calendar));
            }
            check(&calendar, 0);
        }
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_index_agrees_with_the_list_after_every_operation),
        cmocka_unit_test(test_crowded_trees_stay_shallow),
        cmocka_unit_test(test_time_may_run_backwards_by_the_whole_horizon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
