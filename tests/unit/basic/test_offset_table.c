/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "offset_table.h"
#include "with_cmocka.h"
#include <hrl/types.h>

/* Points at 0, 1000 and 1300 of a round of 5000 counts. */
static const struct hrl_basic task;
static const struct hrli_offset points[] = {
    {1000, &points[1]}, {300, &points[2]}, {3700, &points[0]}};
static const struct hrli_offset *volatile at;
static uint32_t now, comparison;
static unsigned overruns, forgotten;
static uint32_t hook_takes;

void hrli_basic_overrun(const struct hrl_basic *of)
{
    assert_ptr_equal(of, &task);
    overruns++;
    now += hook_takes;
}

static uint32_t compare(void)
{
    return comparison;
}

static void set_compare(uint32_t to)
{
    comparison = to;
}

static int32_t ahead(void)
{
    return (int32_t)(comparison - now);
}

static bool forget(void)
{
    forgotten++;
    return true;
}

static const struct hrli_offset_cell cell = {&task, compare, set_compare, ahead, forget};

/* The cell has just come to a point, the first one at `first`. */
static void start(uint32_t first)
{
    at = points;
    now = comparison = first;
    overruns = forgotten = 0;
    hook_takes = 0;
}

static void test_each_move_leads_to_the_next_point_for_ever(void **state)
{
    uint32_t first = 0u - 6000u; /* the counter wraps in the second round */

    (void)state;
    start(first);
    for (uint32_t round = 0; round < 3; round++) {
        assert_int_equal(comparison, first + 5000u * round);
        hrli_offset_move(&at, &cell);
        assert_int_equal(comparison, first + 5000u * round + 1000u);
        hrli_offset_move(&at, &cell);
        assert_int_equal(comparison, first + 5000u * round + 1300u);
        hrli_offset_move(&at, &cell);
    }
    assert_ptr_equal(at, points);
    assert_int_equal(overruns, 0);
}

static void test_what_has_passed_is_passed_over(void **state)
{
    (void)state;
    start(0u - 200u);
    now += 1100; /* held off: the point at 1000 has passed */
    hrli_offset_move(&at, &cell);
    assert_true(ahead() <= 0);
    hrli_offset_pass(&at, &cell);
    assert_int_equal(overruns, 1);
    assert_int_equal(forgotten, 1);
    assert_int_equal(comparison, 0u - 200u + 1300u);
    assert_ptr_equal(at, &points[2]);
}

static void test_a_point_that_is_too_near_is_passed_over_too(void **state)
{
    (void)state;
    start(0);
    now = 1300 - HRLI_OFFSET_NEAR + 1;
    hrli_offset_move(&at, &cell);
    hrli_offset_pass(&at, &cell);
    assert_int_equal(overruns, 2);
    assert_int_equal(comparison, 5000);
    start(0);
    now = 1300 - HRLI_OFFSET_NEAR;
    hrli_offset_move(&at, &cell);
    hrli_offset_pass(&at, &cell);
    assert_int_equal(overruns, 1);
    assert_int_equal(comparison, 1300);
}

static void test_a_long_hook_passes_nothing_over(void **state)
{
    (void)state;
    start(0);
    hook_takes = 2400;
    now = 1001;
    hrli_offset_move(&at, &cell);
    hrli_offset_pass(&at, &cell);
    assert_int_equal(overruns, 1);
    assert_int_equal(comparison, 1300); /* the cell comes to it while the hook runs */
}

static void test_a_reported_point_moves_on_and_is_counted_by_its_reporter(void **state)
{
    (void)state;
    start(0);
    now = 10;
    hrli_offset_overran(&at, &cell);
    assert_int_equal(overruns, 0);
    assert_int_equal(forgotten, 0);
    assert_int_equal(comparison, 1000);
    comparison = 1000;
    now = 1299; /* reported late: the next one is too near */
    hrli_offset_overran(&at, &cell);
    assert_int_equal(overruns, 1);
    assert_int_equal(comparison, 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_move_leads_to_the_next_point_for_ever),
        cmocka_unit_test(test_what_has_passed_is_passed_over),
        cmocka_unit_test(test_a_point_that_is_too_near_is_passed_over_too),
        cmocka_unit_test(test_a_long_hook_passes_nothing_over),
        cmocka_unit_test(test_a_reported_point_moves_on_and_is_counted_by_its_reporter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
