/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "dispatcher.h"
#include "dispatcher_under_test.h"
#include "with_cmocka.h"

/* Rows; instants are counts after the begin of the first round. Time wraps early. */

static void test_rows_come_at_their_instants_round_by_round(void **state)
{
    (void)state;
    dut_start(0);
    dut_pass_until(2999);
    assert_string_equal(dut_seen(), "A@0 B@300 C@700 A@1000 B@1300 C@1700 A@2000 B@2300 C@2700 ");
    assert_int_equal(dut_interrupts, 9); /* none but at rows */
}

static void test_a_handler_that_comes_late_moves_no_row_that_follows(void **state)
{
    (void)state;
    dut_start(0);
    dut_pass_until(250);
    dut_be_late(200); /* B is served at 450 */
    dut_pass_until(2000);
    assert_string_equal(dut_seen(), "A@0 B@450 C@700 A@1000 B@1300 C@1700 A@2000 ");
}

static void test_rows_that_have_passed_are_served_together(void **state)
{
    (void)state;
    dut_start(0);
    dut_pass_until(10);
    dut_be_late(800);
    dut_pass_until(1999);
    assert_string_equal(dut_seen(), "A@0 BC@810 A@1000 B@1300 C@1700 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_come_at_their_instants_round_by_round),
        cmocka_unit_test(test_a_handler_that_comes_late_moves_no_row_that_follows),
        cmocka_unit_test(test_rows_that_have_passed_are_served_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
