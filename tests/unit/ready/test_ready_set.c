/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "ready_set.h"
#include "with_cmocka.h"
#include <string.h>

static struct hrli_ready_set set;

static void add(struct hrli_ready_node *node, uint32_t level)
{
    node->level = level;
    hrli_ready_add(&set, node);
}

static void test_an_empty_set_occupies_no_level(void **state)
{
    (void)state;
    hrli_ready_init(&set);
    assert_int_equal(set.occupied, 0);
}

static void test_the_highest_level_is_first(void **state)
{
    struct hrli_ready_node low, high;

    (void)state;
    hrli_ready_init(&set);
    add(&low, 0);
    assert_int_equal(hrli_ready_top(&set), 0);
    add(&high, 31);
    assert_int_equal(hrli_ready_top(&set), 31);
    assert_ptr_equal(hrli_ready_first(&set), &high);
    assert_int_equal(set.occupied, 0x80000001u);
    hrli_ready_remove(&set, &high);
    assert_int_equal(set.occupied, 1);
    assert_ptr_equal(hrli_ready_first(&set), &low);
}

static void test_first_come_first_out_within_a_level(void **state)
{
    struct hrli_ready_node nodes[3];

    (void)state;
    hrli_ready_init(&set);
    for (int i = 0; i < 3; i++) {
        add(&nodes[i], 5);
    }
    for (int i = 0; i < 3; i++) {
        assert_ptr_equal(hrli_ready_first(&set), &nodes[i]);
        hrli_ready_remove(&set, &nodes[i]);
        assert_int_equal(set.occupied, i == 2 ? 0 : 1u << 5);
    }
}

static void test_removal_in_the_middle(void **state)
{
    struct hrli_ready_node nodes[3];

    (void)state;
    hrli_ready_init(&set);
    for (int i = 0; i < 3; i++) {
        add(&nodes[i], 5);
    }
    hrli_ready_remove(&set, &nodes[1]);
    assert_int_equal(set.occupied, 1u << 5);
    hrli_ready_remove(&set, &nodes[0]);
    assert_ptr_equal(hrli_ready_first(&set), &nodes[2]);
}

enum { NODES = 60 };

/* Against a plain model: for each node the moment it was added, or 0. */
static void test_random_operations(void **state)
{
    static struct hrli_ready_node nodes[NODES];
    int added[NODES] = {0}; /* before 0: at the front */
    struct random random = {4};

    (void)state;
    hrli_ready_init(&set);
    for (int moment = 1; moment < 400000; moment += 2) {
        unsigned n = random_below(&random, NODES);
        int best = -1;
        uint32_t occupied = 0;

        if (added[n] == 0 && random_below(&random, 4) == 0) {
            nodes[n].level = random_below(&random, 32);
            hrli_ready_add_first(&set, &nodes[n]);
            added[n] = -moment;
        } else if (added[n] == 0) {
            add(&nodes[n], random_below(&random, 32));
            added[n] = moment;
        } else {
            hrli_ready_remove(&set, &nodes[n]);
            added[n] = 0;
        }
        for (int i = 0; i < NODES; i++) {
            assert_int_equal(hrli_ready_contains(&nodes[i]), added[i] != 0);
            if (added[i] != 0) {
                occupied |= 1u << nodes[i].level;
                if (best < 0 || nodes[i].level > nodes[best].level ||
                    (nodes[i].level == nodes[best].level && added[i] < added[best])) {
                    best = i;
                }
            }
        }
        assert_int_equal(set.occupied, occupied);
        if (best >= 0) {
            assert_ptr_equal(hrli_ready_first(&set), &nodes[best]);
            assert_int_equal(hrli_ready_top(&set), nodes[best].level);
            if (random_below(&random, 8) == 0) {
                struct hrli_ready_node *second = hrli_ready_rotate(&nodes[best]);
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
        cmocka_unit_test(test_first_come_first_out_within_a_level),
        cmocka_unit_test(test_removal_in_the_middle),
        cmocka_unit_test(test_random_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
