/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "ready_queue.h"
#include "with_cmocka.h"
#include <string.h>

static struct hrli_ready_queue set;

static void add(struct hrli_ready_node *node, uint32_t level)
{
    node->priority = level;
    hrli_ready_add(&set, node);
}

/* Whether just these levels are occupied, by what the set itself says. */
static void assert_occupied(const bool *expected)
{
    for (uint32_t level = 0; level < HRL_PRIORITIES; level++) {
        bool is_occupied = (set.occupied[level / 32] >> (level % 32) & 1u) != 0;
        assert_int_equal(is_occupied, expected[level]);
    }
    for (uint32_t word = 0; HRLI_READY_WORDS > 1 && word < HRLI_READY_WORDS; word++) {
        assert_int_equal(set.words >> word & 1u, set.occupied[word] != 0);
    }
}

/* The same for one level at most. */
static void assert_only(uint32_t level, bool is_occupied)
{
    bool expected[HRL_PRIORITIES] = {false};

    expected[level] = is_occupied;
    assert_occupied(expected);
}

static void test_an_empty_set_occupies_no_level(void **state)
{
    (void)state;
    hrli_ready_init(&set);
    assert_only(0, false);
    assert_true(hrli_ready_is_empty(&set));
}

static void test_the_highest_level_is_first(void **state)
{
    struct hrli_ready_node low = {0}, high = {0};

    (void)state;
    hrli_ready_init(&set);
    add(&low, 0);
    assert_false(hrli_ready_is_empty(&set));
    assert_int_equal(hrli_ready_top(&set), 0);
    add(&high, HRL_PRIORITIES - 1);
    assert_int_equal(hrli_ready_top(&set), HRL_PRIORITIES - 1);
    assert_ptr_equal(hrli_ready_first(&set), &high);
    hrli_ready_remove(&set, &high);
    assert_only(0, true);
    assert_ptr_equal(hrli_ready_first(&set), &low);
}

static void test_whether_a_level_above_is_occupied(void **state)
{
    struct hrli_ready_node low = {0}, high = {0};

    (void)state;
    hrli_ready_init(&set);
    add(&low, 0);
    assert_false(hrli_ready_is_above(&set, 0));
    assert_false(hrli_ready_is_above(&set, HRL_PRIORITIES));
    for (uint32_t level = 1; level < HRL_PRIORITIES; level++) {
        add(&high, level);
        for (uint32_t other = 0; other <= HRL_PRIORITIES; other++) {
            assert_int_equal(hrli_ready_is_above(&set, other), other < level);
        }
        hrli_ready_remove(&set, &high);
    }
}

/* Only where that takes no search; a node that there is no more is only an address. */
static void test_whether_a_node_is_the_first_of_all(void **state)
{
    const bool is_known = HRLI_READY_WORDS == 1 && !HRL_RELEASE_MASKS;
    struct hrli_ready_node low = {0}, second = {0}, high = {0};

    (void)state;
    hrli_ready_init(&set);
    assert_false(hrli_ready_is_top(&set, NULL, 0));
    add(&low, 5);
    add(&second, 5);
    assert_int_equal(hrli_ready_is_top(&set, &low, 5), is_known);
    assert_false(hrli_ready_is_top(&set, &second, 5));
    assert_false(hrli_ready_is_top(&set, &low, 4)); /* it has another level by now */
    assert_false(hrli_ready_is_top(&set, &low, 6));
    add(&high, 6);
    assert_false(hrli_ready_is_top(&set, &low, 5));
    assert_int_equal(hrli_ready_is_top(&set, &high, 6), is_known);
    hrli_ready_remove(&set, &high);
    hrli_ready_remove(&set, &low);
    assert_false(hrli_ready_is_top(&set, &low, 5));
    hrli_ready_remove(&set, &second);
}

static void test_a_thread_that_is_added_above_all(void **state)
{
    struct hrli_ready_node low = {0}, high = {0};

    (void)state;
    hrli_ready_init(&set);
    add(&low, 5);
    for (uint32_t level = 0; level <= 5; level++) {
        high.priority = level;
        assert_false(hrli_ready_add_above_all(&set, &high));
        assert_only(5, true);
    }
    for (uint32_t level = 6; level < HRL_PRIORITIES; level++) {
        high.priority = level;
        assert_int_equal(hrli_ready_add_above_all(&set, &high), HRLI_READY_WORDS == 1);
        if (HRLI_READY_WORDS == 1) {
            assert_ptr_equal(hrli_ready_first(&set), &high);
            hrli_ready_remove(&set, &high);
        }
        assert_only(5, true);
    }
}

static void test_first_come_first_out_within_a_level(void **state)
{
    struct hrli_ready_node nodes[3] = {0};

    (void)state;
    hrli_ready_init(&set);
    for (int i = 0; i < 3; i++) {
        add(&nodes[i], 5);
    }
    for (int i = 0; i < 3; i++) {
        assert_ptr_equal(hrli_ready_first(&set), &nodes[i]);
        hrli_ready_remove(&set, &nodes[i]);
        assert_only(5, i != 2);
    }
}

static void test_removal_in_the_middle(void **state)
{
    struct hrli_ready_node nodes[3] = {0};

    (void)state;
    hrli_ready_init(&set);
    for (int i = 0; i < 3; i++) {
        add(&nodes[i], 5);
    }
    hrli_ready_remove(&set, &nodes[1]);
    assert_only(5, true);
    hrli_ready_remove(&set, &nodes[0]);
    assert_ptr_equal(hrli_ready_first(&set), &nodes[2]);
}

enum { NODES = 60 };

/* Any level, of more than one word often that of another node, and often the ends of a word. */
static uint32_t random_level(struct random *random)
{
    uint32_t level = random_below(random, HRL_PRIORITIES);

    switch (random_below(random, 4)) {
    case 0:
        return level / 32 * 32;
    case 1:
        return level / 32 * 32 + 31;
    default:
        return level;
    }
}

/* Against a plain model: for each node the moment it was added, or 0. */
static void test_random_operations(void **state)
{
    static struct hrli_ready_node nodes[NODES];
    int added[NODES] = {0}; /* before 0: at the front */
    struct random random = {4};

    (void)state;
    hrli_ready_init(&set);
    for (int moment = 1; moment < 200000; moment += 2) {
        unsigned n = random_below(&random, NODES);
        int best = -1;
        bool occupied[HRL_PRIORITIES] = {false};

        if (added[n] == 0 && random_below(&random, 4) == 0) {
            nodes[n].priority = random_level(&random);
            hrli_ready_add_first(&set, &nodes[n]);
            added[n] = -moment;
        } else if (added[n] == 0) {
            add(&nodes[n], random_level(&random));
            added[n] = moment;
        } else {
            hrli_ready_remove(&set, &nodes[n]);
            added[n] = 0;
        }
        for (int i = 0; i < NODES; i++) {
            assert_int_equal(hrli_ready_contains(&set, &nodes[i]), added[i] != 0);
            if (added[i] != 0) {
                occupied[nodes[i].priority] = true;
                if (best < 0 || nodes[i].priority > nodes[best].priority ||
                    (nodes[i].priority == nodes[best].priority && added[i] < added[best])) {
                    best = i;
                }
            }
        }
        assert_occupied(occupied);
        if (best >= 0) {
            assert_ptr_equal(hrli_ready_first(&set), &nodes[best]);
            assert_int_equal(hrli_ready_top(&set), nodes[best].priority);
            if (random_below(&random, 8) == 0) {
                struct hrli_ready_node *second = hrli_ready_give_way(&set, &nodes[best]);
                if (second == NULL) {
                    assert_ptr_equal(hrli_ready_first(&set), &nodes[best]);
                } else {
                    assert_ptr_equal(hrli_ready_first(&set), second);
                    added[best] = moment + 1;
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_set_occupies_no_level),
        cmocka_unit_test(test_the_highest_level_is_first),
        cmocka_unit_test(test_whether_a_level_above_is_occupied),
        cmocka_unit_test(test_whether_a_node_is_the_first_of_all),
        cmocka_unit_test(test_a_thread_that_is_added_above_all),
        cmocka_unit_test(test_first_come_first_out_within_a_level),
        cmocka_unit_test(test_removal_in_the_middle),
        cmocka_unit_test(test_random_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
