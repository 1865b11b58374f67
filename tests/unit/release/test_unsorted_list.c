/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "release_by_hand.h"
#include "unsorted_list.h"

static struct hrli_unsorted_list list;

static int set_up(void **state)
{
    (void)state;
    by_hand_reset();
    hrli_unsorted_list_init(&list);
    return 0;
}

static void put(unsigned i, hrl_stamp key)
{
    by_hand_threads[i].waiter.node.key = key;
    hrli_unsorted_list_put(&by_hand, &list, &by_hand_threads[i].waiter);
}

static uint32_t released_at(hrl_stamp instant)
{
    hrli_unsorted_list_release_due(&by_hand, &list, instant);
    return by_hand_take_ready();
}

static void test_an_empty_list_releases_no_thread(void **state)
{
    (void)state;
    assert_int_equal(released_at(0), 0);
    put(0, 5);
    assert_int_equal(released_at(5), 1);
    assert_int_equal(released_at(5), 0);
    assert_int_equal(released_at(1u << 31), 0);
}

static void test_a_due_thread_is_found_wherever_it_stands(void **state)
{
    (void)state;
    put(0, 300);
    put(1, 100);
    put(2, 200);
    put(3, 100);
    put(4, 300);
    assert_int_equal(released_at(99), 0);
    assert_int_equal(released_at(100), 0x0a);
    assert_int_equal(by_hand_threads[1].waiter.released, 100);
    assert_int_equal(released_at(199), 0);
    assert_int_equal(released_at(200), 0x04);
    assert_int_equal(released_at(300), 0x11);
}

/* No node is looked at: a key that is out of order would be found. */
static void test_an_instant_at_which_no_thread_is_due_looks_at_no_node(void **state)
{
    (void)state;
    put(0, 100);
    put(1, 200);
    by_hand_threads[1].waiter.node.key = 0;
    assert_int_equal(released_at(99), 0);
    assert_int_equal(released_at(100), 3);
}

static void test_the_first_instant_falls_when_an_earlier_one_is_put_in(void **state)
{
    (void)state;
    put(0, 500);
    put(1, 400);
    put(2, 600);
    assert_int_equal(list.next_release, 400);
    assert_int_equal(released_at(400), 2);
    assert_int_equal(list.next_release, 500);
    put(1, 450);
    assert_int_equal(list.next_release, 450);
    assert_int_equal(released_at(450), 2);
    assert_int_equal(released_at(500), 1);
    put(0, 700); /* later than what is in */
    assert_int_equal(list.next_release, 600);
}

/* What the list knew when it became empty counts no more, however long ago that was. */
static void test_what_an_empty_list_knew_is_forgotten(void **state)
{
    (void)state;
    put(0, 100);
    assert_int_equal(released_at(100), 1);
    put(0, (1u << 31) + 90);
    assert_int_equal(released_at((1u << 31) + 89), 0);
    assert_int_equal(released_at((1u << 31) + 90), 1);
}

static void test_the_furthest_key_and_the_wrap(void **state)
{
    const hrl_stamp now = UINT32_MAX - 10;

    (void)state;
    put(0, now);
    put(1, now + 20);        /* after the wrap */
    put(2, now + INT32_MAX); /* as far as can be told */
    assert_int_equal(released_at(now), 1);
    assert_int_equal(list.next_release, now + 20);
    assert_int_equal(released_at(now + 19), 0);
    assert_int_equal(released_at(now + 20), 2);
    assert_int_equal(list.next_release, now + INT32_MAX);
    assert_int_equal(released_at(now + INT32_MAX), 4);
}

static void test_equals_are_released_in_their_order(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        by_hand_threads[i].thread.ready.priority = 7;
        put(i, i == 2 ? 50 : 40);
    }
    hrli_unsorted_list_release_due(&by_hand, &list, 40);
    for (unsigned i = 0; i < 5; i++) {
        if (i != 2) {
            assert_ptr_equal(hrli_ready_first(&by_hand_set), &by_hand_threads[i].thread.ready);
            hrli_ready_remove(&by_hand_set, &by_hand_threads[i].thread.ready);
        }
    }
}

/* Against the threads that are due by their keys. */
static void test_random_operations(void **state)
{
    struct random random = {5};
    bool is_in[BY_HAND] = {false};
    hrl_stamp now = UINT32_MAX - 50000;

    (void)state;
    for (unsigned n = 0; n < 100000; n++) {
        unsigned i = random_below(&random, BY_HAND);
        uint32_t expected = 0;
        if (!is_in[i]) {
            put(i,
                now + random_between(&random, 1, random_below(&random, 9) == 0 ? INT32_MAX : 40));
            is_in[i] = true;
        }
        if (random_below(&random, 2) == 0) {
            now++;
            for (unsigned k = 0; k < BY_HAND; k++) {
                if (is_in[k] && !hrli_stamp_after(by_hand_threads[k].waiter.node.key, now)) {
                    expected |= (uint32_t)1 << k;
                    is_in[k] = false;
                }
            }
            assert_int_equal(released_at(now), expected);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_an_empty_list_releases_no_thread, set_up),
        cmocka_unit_test_setup(test_a_due_thread_is_found_wherever_it_stands, set_up),
        cmocka_unit_test_setup(test_an_instant_at_which_no_thread_is_due_looks_at_no_node, set_up),
        cmocka_unit_test_setup(test_the_first_instant_falls_when_an_earlier_one_is_put_in, set_up),
        cmocka_unit_test_setup(test_what_an_empty_list_knew_is_forgotten, set_up),
        cmocka_unit_test_setup(test_the_furthest_key_and_the_wrap, set_up),
        cmocka_unit_test_setup(test_equals_are_released_in_their_order, set_up),
        cmocka_unit_test_setup(test_random_operations, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
