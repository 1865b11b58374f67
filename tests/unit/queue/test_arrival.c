/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "arrival.h"
#include "with_cmocka.h"

static void test_numbers_have_64_bits(void **state)
{
    uint64_t arrivals = UINT32_MAX;
    struct hrli_queue_node a = {.key = 9};
    struct hrli_queue_node b = {.key = 9};

    (void)state;
    hrli_arrival_note(&arrivals, &a);
    hrli_arrival_note(&arrivals, &b);
    assert_int_equal(a.spare[HRLI_ARRIVAL_LOW], UINT32_MAX);
    assert_int_equal(a.spare[HRLI_ARRIVAL_HIGH], 0);
    assert_int_equal(b.spare[HRLI_ARRIVAL_LOW], 0);
    assert_int_equal(b.spare[HRLI_ARRIVAL_HIGH], 1);
    assert_true(hrli_arrival_before(&a, &b));
    assert_false(hrli_arrival_before(&b, &a));
    hrli_arrival_note(&arrivals, &a);
    assert_true(hrli_arrival_before(&b, &a));
    assert_false(hrli_arrival_before(&a, &b));
}

static void test_keys_go_before_numbers_and_over_the_wrap(void **state)
{
    uint64_t arrivals = 0;
    struct hrli_queue_node late = {.key = 1};
    struct hrli_queue_node early = {.key = UINT32_MAX};

    (void)state;
    hrli_arrival_note(&arrivals, &late);
    hrli_arrival_note(&arrivals, &early);
    assert_true(hrli_arrival_before(&early, &late));
    assert_false(hrli_arrival_before(&late, &early));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_have_64_bits),
        cmocka_unit_test(test_keys_go_before_numbers_and_over_the_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
