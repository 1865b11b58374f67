/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "instant_set.h"
#include "random.h"
#include "with_cmocka.h"

/*
 * When a set is what: nothing, a chain, a tree. What it answers as each, against a plain table.
 */
enum { NODES = 12, EARLIER = HRLI_INSTANT_EARLIER, LATER = HRLI_INSTANT_LATER };

static struct hrli_queue_node nodes[NODES]; /* node i has the key 10 i before the wrap and on */
static bool in[NODES];
static hrli_instant_link set;

static void start(void)
{
    set = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        nodes[i].key = UINT32_MAX - 50u + 10u * i;
        in[i] = false;
    }
}

static size_t length_of_chain(void)
{
    size_t length = 0;

    for (hrli_instant_link at = set; at != 0; length++) {
        const struct hrli_queue_node *node = (const struct hrli_queue_node *)at;

        assert_int_equal(node->spare[LATER], 0);
        at = node->spare[EARLIER];
    }
    return length;
}

static struct hrli_queue_node *nearest(uint32_t from, uint32_t step)
{
    for (uint32_t i = from; i < NODES; i += step) { /* below 0 is beyond, too */
        if (in[i]) {
            return &nodes[i];
        }
    }
    return NULL;
}

static void put(uint32_t i)
{
    if (set == 0) {
        hrli_instant_set_chain(&nodes[i], 0);
        set = (hrli_instant_link)&nodes[i];
    } else {
        assert_ptr_equal(hrli_instant_set_insert(&set, &nodes[i]), nearest(i - 1u, UINT32_MAX));
    }
    in[i] = true;
}

static void check(size_t n)
{
    if (n == 0) {
        assert_int_equal(set, 0);
        return;
    }
    assert_ptr_equal(hrli_instant_set_first(set), nearest(0, 1));
    assert_ptr_equal(hrli_instant_set_last(set), nearest(NODES - 1, UINT32_MAX));
    if (!hrli_instant_set_is_tree(set)) {
        assert_int_equal(length_of_chain(), n);
        assert_in_range(n, 1, 3);
    }
}

static void test_three_are_a_chain_and_four_a_tree_until_it_is_empty(void **state)
{
    (void)state;
    for (uint32_t step = 1; step < 13; step++) { /* 13 is prime: every order of going round */
        start();
        for (uint32_t i = 1; i <= NODES; i++) {
            put(i * step % 13 - 1);
            check(i);
            assert_int_equal(hrli_instant_set_is_tree(set), i > 3);
        }
        for (uint32_t i = NODES; i > 0; i--) {
            assert_ptr_equal(hrli_instant_set_pop(&set), nearest(0, 1));
            in[nearest(0, 1) - nodes] = false;
            check(i - 1);
            assert_int_equal(hrli_instant_set_is_tree(set), i > 1);
        }
    }
}

static void test_equals_and_heirs(void **state)
{
    (void)state;
    for (uint32_t size = 1; size <= 6; size++) {
        for (uint32_t i = 0; i < size; i++) {
            struct hrli_queue_node twin, heir;

            start();
            for (uint32_t j = 0; j < size; j++) {
                put(j);
            }
            twin.key = heir.key = nodes[i].key;
            assert_ptr_equal(hrli_instant_set_insert(&set, &twin), &nodes[i]);
            assert_int_equal(nodes[i].spare[LATER], 0);
            hrli_instant_set_remove(&set, &twin, &heir);
            hrli_instant_set_remove(&set, &heir, NULL);
            in[i] = false;
            check(size - 1);
        }
    }
}

static void test_random_insertions_and_removals(void **state)
{
    struct random random = {3};
    size_t n = 0;

    (void)state;
    start();
    for (unsigned i = 0; i < 50000; i++) {
        uint32_t which = random_below(&random, i / 5000 % 2 == 0 ? NODES : 4);

        if (in[which]) {
            hrli_instant_set_remove(&set, &nodes[which], NULL);
            in[which] = false;
            n--;
        } else {
            put(which);
            n++;
        }
        check(n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_are_a_chain_and_four_a_tree_until_it_is_empty),
        cmocka_unit_test(test_equals_and_heirs),
        cmocka_unit_test(test_random_insertions_and_removals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
