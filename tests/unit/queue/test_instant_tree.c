/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "instant_tree.h"
#include "random.h"
#include "stamp.h"
#include "with_cmocka.h"

/*
 * Order, balance, and the links up, against a plain table of which keys are in.
 */
enum { KEYS = 1500, EARLIER = HRLI_INSTANT_EARLIER, LATER = HRLI_INSTANT_LATER };

static struct hrli_queue_node nodes[KEYS]; /* node i has the key begin + i * step */
static bool in[KEYS];
static size_t count;
static struct hrli_queue_node tree;

/* Returns the height of what is on `side` of `above`; its nodes come after `*before`, which becomes the last. */
static int check_below(const struct hrli_queue_node *above, int side,
                       const struct hrli_queue_node **before)
{
    const struct hrli_queue_node *node = hrli_instant_below(above, side);
    int earlier, later;

    if (node == NULL) {
        return 0;
    }
    assert_ptr_equal(hrli_instant_above(node), above);
    earlier = check_below(node, EARLIER, before);
    assert_true(*before == NULL || hrli_stamp_after(node->key, (*before)->key));
    *before = node;
    count++;
    later = check_below(node, LATER, before);
    assert_int_equal(node->spare[HRLI_INSTANT_PLACE] & HRLI_INSTANT_BITS,
                     earlier == later  ? 0
                     : earlier > later ? HRLI_INSTANT_EARLIER_TALLER
                                       : HRLI_INSTANT_LATER_TALLER);
    assert_in_range(later - earlier + 1, 0, 2);
    return 1 + (later > earlier ? later : earlier);
}

static void check(size_t expected)
{
    const struct hrli_queue_node *before = NULL;

    count = 0;
    (void)check_below(&tree, EARLIER, &before);
    assert_int_equal(count, expected);
    assert_int_equal(tree.spare[HRLI_INSTANT_PLACE], HRLI_INSTANT_BITS);
}

static void start(hrl_stamp begin, uint32_t step)
{
    hrli_instant_tree_init(&tree);
    for (uint32_t i = 0; i < KEYS; i++) {
        nodes[i].key = begin + i * step;
        in[i] = false;
    }
}

static void put(uint32_t i)
{
    struct hrli_queue_node *above = &tree, *at = hrli_instant_below(&tree, EARLIER);
    int side = EARLIER;

    while (at != NULL) {
        above = at;
        side = hrli_stamp_after(at->key, nodes[i].key) ? EARLIER : LATER;
        at = hrli_instant_below(at, side);
    }
    hrli_instant_tree_insert(above, side, &nodes[i]);
    in[i] = true;
}

static void drop(uint32_t i)
{
    hrli_instant_tree_remove(&nodes[i]);
    in[i] = false;
}

/* Takes out the first. Returns which it was. */
static uint32_t take_first(void)
{
    struct hrli_queue_node *at = hrli_instant_below(&tree, EARLIER);

    while (hrli_instant_below(at, EARLIER) != NULL) {
        at = hrli_instant_below(at, EARLIER);
    }
    hrli_instant_tree_remove_first(at);
    in[at - nodes] = false;
    return (uint32_t)(at - nodes);
}

static void test_every_order_in_and_out(void **state)
{
    enum { N = 130 };

    (void)state;
    for (uint32_t in_step = 1; in_step < N; in_step += 9) {
        for (uint32_t out_step = 1; out_step < N; out_step += 9) {
            uint32_t prime = 131;

            start(UINT32_MAX - 1000, 20); /* across the wrap */
            for (uint32_t i = 1; i < prime; i++) {
                put(i * in_step % prime - 1);
                check(i);
            }
            for (uint32_t i = 1; i < prime; i++) {
                drop(i * out_step % prime - 1);
                check(prime - 1 - i);
            }
        }
    }
}

static void test_random_insertions_and_removals(void **state)
{
    struct random random = {1};
    size_t number = 0;

    (void)state;
    start(77, 1431655); /* the whole horizon */
    for (uint32_t i = 0; i < 30000; i++) {
        uint32_t which = random_below(&random, i < 15000 ? KEYS : 40);

        if (i % 5 == 0 && number > 0) {
            (void)take_first();
            number--;
        } else if (in[which]) {
            drop(which);
            number--;
        } else {
            put(which);
            number++;
        }
        if (i % 16 == 0) {
            check(number);
        }
    }
}

static void test_the_first_is_taken_out_again_and_again(void **state)
{
    (void)state;
    start(0, 3);
    for (uint32_t i = 0; i < KEYS; i++) {
        put(i);
    }
    check(KEYS);
    for (uint32_t i = 0; i < KEYS; i++) {
        if (i % 7 == 0) {
            drop(i);
        } else {
            assert_int_equal(take_first(), i);
        }
        check(KEYS - 1 - i);
    }
}

static void test_heirs_take_the_place(void **state)
{
    struct hrli_queue_node heir;

    (void)state;
    start(5, 10);
    for (uint32_t i = 0; i < 20; i++) {
        put(i);
    }
    for (uint32_t i = 0; i < 20; i++) {
        heir.key = nodes[i].key;
        hrli_instant_tree_replace(&nodes[i], &heir);
        check(20);
        hrli_instant_tree_remove(&heir);
        check(19);
        put(i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_order_in_and_out),
        cmocka_unit_test(test_random_insertions_and_removals),
        cmocka_unit_test(test_the_first_is_taken_out_again_and_again),
        cmocka_unit_test(test_heirs_take_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
