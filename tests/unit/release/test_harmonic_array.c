/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "harmonic_array.h"
#include "release_by_hand.h"

static struct hrli_waiter *waiting[BY_HAND];

static int set_up(void **state)
{
    (void)state;
    by_hand_reset();
    memset(waiting, 0, sizeof waiting);
    for (unsigned i = 0; i < BY_HAND; i++) {
        by_hand_threads[i].waiter.node.spare[0] = (uintptr_t)&waiting[i];
    }
    return 0;
}

static void put(struct hrli_harmonic_array *array, uint32_t numbers)
{
    for (unsigned i = 0; i < BY_HAND; i++) {
        if ((numbers >> i & 1u) != 0) {
            hrli_harmonic_array_put(&by_hand, array, &by_hand_threads[i].waiter);
        }
    }
}

static uint32_t released_at(struct hrli_harmonic_array *array, hrl_stamp instant)
{
    hrli_harmonic_array_release_due(&by_hand, array, instant);
    return by_hand_take_ready();
}

/* Periods 1, 2 (two tasks), 6; the others' offsets 0, 3 and 9. */
static void test_levels_nest_like_an_odometer(void **state)
{
    struct hrli_harmonic_level levels[] = {{1, 1, 1}, {2, 4, 2}, {3, 4, 1}};
    const struct hrli_harmonic_chain chain = {levels, 3, waiting};
    struct hrli_harmonic_array array = {&chain, 1};

    (void)state;
    put(&array, 0xf);
    for (unsigned k = 0; k < 100; k++) {
        uint32_t expected = 1;
        if (k >= 3 && (k - 3) % 2 == 0) {
            expected |= 6;
        }
        if (k >= 9 && (k - 9) % 6 == 0) {
            expected |= 8;
        }
        assert_int_equal(released_at(&array, k), expected);
        put(&array, expected);
    }
}

static void test_chains_do_not_know_of_each_other(void **state)
{
    struct hrli_harmonic_level two[] = {{2, 1, 1}, {2, 1, 1}}, three[] = {{3, 3, 1}, {1, 2, 1}};
    const struct hrli_harmonic_chain chains[] = {{two, 2, waiting}, {three, 2, waiting + 2}};
    struct hrli_harmonic_array array = {chains, 2};

    (void)state;
    put(&array, 0xf);
    for (unsigned k = 0; k < 100; k++) {
        uint32_t expected = (k % 2 == 0 ? 1u : 0) | (k % 4 == 0 ? 2u : 0) | (k % 3 == 2 ? 4u : 0) |
                            (k % 3 == 2 && k > 2 ? 8u : 0);
        assert_int_equal(released_at(&array, k), expected);
        put(&array, expected);
    }
}

/* It does not wait at its instant: passed over, and the levels behind it go on. */
static void test_an_entry_that_is_null_is_an_overrun(void **state)
{
    struct hrli_harmonic_level levels[] = {{1, 1, 2}, {2, 1, 1}};
    const struct hrli_harmonic_chain chain = {levels, 2, waiting};
    struct hrli_harmonic_array array = {&chain, 1};

    (void)state;
    put(&array, 4);
    assert_int_equal(released_at(&array, 100), 4);
    put(&array, 6);
    assert_int_equal(released_at(&array, 101), 2);
    assert_int_equal(by_hand_threads[1].waiter.released, 101);
    assert_int_equal(released_at(&array, 102), 4);
    assert_int_equal(released_at(&array, 103), 0);
    put(&array, 1);
    assert_int_equal(released_at(&array, 104), 1);
    assert_null(waiting[0]);
}

static void test_no_chain(void **state)
{
    struct hrli_harmonic_array array = {NULL, 0};

    (void)state;
    assert_int_equal(released_at(&array, 0), 0);
}

/* Counted, not divided: what the stamp is does not matter. */
static void test_the_stamp_wraps(void **state)
{
    struct hrli_harmonic_level levels[] = {{1, 1, 1}, {7, 1, 1}};
    const struct hrli_harmonic_chain chain = {levels, 2, waiting};
    struct hrli_harmonic_array array = {&chain, 1};
    hrl_stamp instant = UINT32_MAX - 2999;

    (void)state;
    put(&array, 3);
    for (unsigned k = 0; k < 10; k++, instant += 1000) {
        uint32_t expected = k % 7 == 0 ? 3 : 1;
        assert_int_equal(released_at(&array, instant), expected);
        assert_int_equal(by_hand_threads[0].waiter.released, instant);
        put(&array, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_levels_nest_like_an_odometer, set_up),
        cmocka_unit_test_setup(test_chains_do_not_know_of_each_other, set_up),
        cmocka_unit_test_setup(test_an_entry_that_is_null_is_an_overrun, set_up),
        cmocka_unit_test_setup(test_no_chain, set_up),
        cmocka_unit_test_setup(test_the_stamp_wraps, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
