/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "instant_tree.h"
#include "random.h"
#include "stamp.h"
#include "with_cmocka.h"

/*
 * Order, balance, and what an insertion answers, against a plain table of which keys are in.
 */
enum { KEYS = 1500, EARLIER = HRLI_INSTANT_EARLIER, LATER = HRLI_INSTANT_LATER };

static struct hrli_queue_node nodes[KEYS]; /* node i has the key begin + i * step */
static bool in[KEYS];
static size_t count;
static hrli_instant_link root;

/* Returns the height of the tree below `link`, whose nodes come after `*before`, which becomes the last. */
static int check_below(hrli_instant_link link, const struct hrli_queue_node **before)
{
    const struct hrli_queue_node *node = hrli_instant_node(link);
    int earlier, later;

    assert_int_not_equal(link, 0);
    if (node == NULL) {
        assert_int_equal(link, HRLI_INSTANT_NONE);
        return 0;
    }
    earlier = check_below(node->spare[EARLIER], before);
    assert_true(*before == NULL || hrli_stamp_after(node->key, (*before)->key));
    *before = node;
    count++;
    later = check_below(node->spare[LATER], before);
    assert_int_equal(link & HRLI_INSTANT_BITS,
                     earlier == later ? HRLI_INSTANT_BALANCED
                                      : HRLI_INSTANT_TALLER + (later > earlier ? LATER : EARLIER));
    assert_in_range(later - earlier + 1, 0, 2);
    return 1 + (later > earlier ? later : earlier);
}

static void check(size_t expected)
{
    const struct hrli_queue_node *before = NULL;

    count = 0;
    (void)check_below(root, &before);
    assert_int_equal(count, expected);
}

static void start(hrl_stamp begin, uint32_t step)
{
    root = HRLI_INSTANT_NONE;
    for (uint32_t i = 0; i < KEYS; i++) {
        nodes[i].key = begin + i * step;
        in[i] = false;
    }
}

static void put(uint32_t i)
{
    const struct hrli_queue_node *before = NULL;

    for (uint32_t j = 0; j < i; j++) {
        before = in[j] ? &nodes[j] : before;
    }
    assert_ptr_equal(hrli_instant_tree_insert(&root, &nodes[i]), before);
    in[i] = true;
}

static void drop(uint32_t i)
{
    hrli_instant_tree_remove(&root, &nodes[i]);
    assert_int_equal(nodes[i].spare[LATER], 0);
    in[i] = false;
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
            in[hrli_instant_tree_pop(&root) - nodes] = false;
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
        assert_ptr_equal(hrli_instant_tree_end(root, EARLIER), &nodes[i]);
        assert_ptr_equal(hrli_instant_tree_end(root, LATER), &nodes[KEYS - 1]);
        if (i % 7 == 0) {
            drop(i);
        } else {
            assert_ptr_equal(hrli_instant_tree_pop(&root), &nodes[i]);
            assert_int_equal(nodes[i].spare[LATER], 0);
        }
        check(KEYS - 1 - i);
    }
    assert_int_equal(root, HRLI_INSTANT_NONE);
}

static void test_equals_and_heirs_take_the_place(void **state)
{
    struct hrli_queue_node twin, heir;

    (void)state;
    start(5, 10);
    for (uint32_t i = 0; i < 20; i++) {
        put(i);
    }
    for (uint32_t i = 0; i < 20; i++) {
        twin.key = heir.key = nodes[i].key;
        assert_ptr_equal(hrli_instant_tree_insert(&root, &twin), &nodes[i]);
        assert_int_equal(nodes[i].spare[LATER], 0);
        check(20);
        hrli_instant_tree_replace(&root, &twin, &heir);
        assert_int_equal(twin.spare[LATER], 0);
        check(20);
        hrli_instant_tree_remove(&root, &heir);
        check(19);
        in[i] = false;
        put(i);
    }
}

static void test_a_tree_of_three(void **state)
{
    (void)state;
    start(1, 1);
    hrli_instant_tree_of_three(&root, &nodes[4], &nodes[6], &nodes[8]);
    in[4] = in[6] = in[8] = true;
    check(3);
    put(5);
    put(9);
    put(7);
    put(3);
    check(7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_order_in_and_out),
        cmocka_unit_test(test_random_insertions_and_removals),
        cmocka_unit_test(test_the_first_is_taken_out_again_and_again),
        cmocka_unit_test(test_equals_and_heirs_take_the_place),
        cmocka_unit_test(test_a_tree_of_three),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
