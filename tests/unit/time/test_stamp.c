/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "stamp.h"
#include "with_cmocka.h"

static void test_a_later_stamp_is_after(void **state)
{
    (void)state;
    assert_true(hrli_stamp_after(1, 0));
    assert_false(hrli_stamp_after(0, 1));
    assert_false(hrli_stamp_after(7, 7));
}

static void test_order_holds_across_the_wrap(void **state)
{
    (void)state;
    assert_true(hrli_stamp_after(0, UINT32_MAX));
    assert_true(hrli_stamp_after(5, UINT32_MAX - 5));
    assert_false(hrli_stamp_after(UINT32_MAX, 0));
}

static void test_order_holds_up_to_the_horizon(void **state)
{
    (void)state;
    assert_true(hrli_stamp_after(0x7FFFFFFFu, 0));
    assert_true(hrli_stamp_after(0x7FFFFFFFu + 100u, 100));
    assert_false(hrli_stamp_after(0, 0x7FFFFFFFu));
}

static void test_order_is_that_of_64_bit_instants(void **state)
{
    struct random random = {1};

    (void)state;
    for (int i = 0; i < 100000; i++) {
        uint64_t a = ((uint64_t)random_next(&random) << 32) | random_next(&random);
        uint64_t b = a + random_below(&random, 0x80000000u);
        assert_int_equal(hrli_stamp_after((hrl_stamp)b, (hrl_stamp)a), b > a);
        assert_false(hrli_stamp_after((hrl_stamp)a, (hrl_stamp)b));
    }
}

static void test_what_has_passed_may_be_almost_all_stamps_ago(void **state)
{
    static const uint32_t aheads[] = {2, 1u << 10, 1u << 31};

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t ahead = aheads[i];

        for (hrl_stamp now = 5u - ahead; now != ahead + 5u; now += ahead / 2u) {
            assert_false(hrli_stamp_has_passed(now + 1u, now, ahead));
            assert_false(hrli_stamp_has_passed(now + ahead, now, ahead));
            assert_true(hrli_stamp_has_passed(now, now, ahead));
            assert_true(hrli_stamp_has_passed(now + ahead + 1u, now, ahead)); /* long ago */
        }
    }
}

static void test_rounded_up_to_a_power_of_two(void **state)
{
    (void)state;
    assert_int_equal(hrli_stamp_round_up(2), 2);
    assert_int_equal(hrli_stamp_round_up(3), 4);
    assert_int_equal(hrli_stamp_round_up(4), 4);
    assert_int_equal(hrli_stamp_round_up(25000), 32768);
    assert_int_equal(hrli_stamp_round_up((1u << 30) + 1u), 1u << 31);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_has_passed_may_be_almost_all_stamps_ago),
        cmocka_unit_test(test_rounded_up_to_a_power_of_two),
        cmocka_unit_test(test_a_later_stamp_is_after),
        cmocka_unit_test(test_order_holds_across_the_wrap),
        cmocka_unit_test(test_order_holds_up_to_the_horizon),
        cmocka_unit_test(test_order_is_that_of_64_bit_instants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
