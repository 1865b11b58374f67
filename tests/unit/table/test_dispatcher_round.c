/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "dispatcher_round.h"
#include "dispatcher_under_test.h"
#include "with_cmocka.h"

/* Changes and corrections; instants are counts after the begin of the first round. Time wraps early. */

static void test_a_mode_follows_at_the_end_of_the_round_that_runs(void **state)
{
    (void)state;
    dut_start(0);
    dut_pass_until(300);
    assert_int_equal(hrl_dispatcher_set_mode(&dut_other), HRL_OK);
    assert_ptr_equal(hrl_dispatcher_mode(), &dut_first);
    dut_pass_until(999);
    assert_string_equal(dut_seen(), "A@0 B@300 C@700 ");
    dut_pass_until(3000); /* the other mode has a round of 600, and its first row at 100 */
    assert_string_equal(dut_seen(), "D@1100 E@1500 D@1700 E@2100 D@2300 E@2700 D@2900 ");
    assert_ptr_equal(hrl_dispatcher_mode(), &dut_other);
}

static void test_a_mode_that_is_asked_for_in_the_last_instant_is_in_time(void **state)
{
    (void)state;
    dut_start(0);
    dut_pass_until(999);
    assert_int_equal(hrl_dispatcher_set_mode(&dut_other), HRL_OK);
    dut_pass_until(1500);
    assert_string_equal(dut_seen(), "A@0 B@300 C@700 D@1100 E@1500 ");
}

static void test_at_the_begin_of_a_round_it_is_too_late_for_a_mode(void **state)
{
    (void)state;
    dut_start(0);
    assert_int_equal(hrl_dispatcher_set_mode(&dut_other), HRL_OK); /* is the first one */
    dut_pass_until(610);                                           /* its first row is to come */
    assert_int_equal(hrl_dispatcher_set_mode(&dut_first), HRL_OK);
    dut_pass_until(1600);
    assert_string_equal(dut_seen(), "D@100 E@500 D@700 E@1100 A@1200 B@1500 ");
}

static void test_a_wish_can_be_taken_back(void **state)
{
    (void)state;
    dut_start(0);
    dut_pass_until(900);
    assert_int_equal(hrl_dispatcher_set_mode(&dut_other), HRL_OK);
    assert_int_equal(hrl_dispatcher_set_mode(&dut_first), HRL_OK);
    dut_pass_until(1400);
    assert_string_equal(dut_seen(), "A@0 B@300 C@700 A@1000 B@1300 ");
}

static void test_it_stops_at_the_end_of_the_round_and_starts_again(void **state)
{
    (void)state;
    dut_start(0);
    dut_pass_until(100);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_RUNNING);
    assert_int_equal(hrl_dispatcher_stop(), HRL_OK);
    dut_pass_until(999);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_RUNNING);
    dut_pass_until(1500);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_STOPPED);
    assert_false(dut_is_armed);
    assert_int_equal(hrl_dispatcher_start_relative(250), HRL_OK);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_WAITING);
    dut_pass_until(2100);
    assert_string_equal(dut_seen(), "A@0 B@300 C@700 A@1750 B@2050 ");
}

static void test_a_positive_deviation_makes_rounds_longer(void **state)
{
    (void)state;
    dut_start(0);
    dut_pass_until(500);
    assert_int_equal(hrl_dispatcher_synchronise(430), HRL_OK); /* 70 ahead, by at most 30 a round */
    dut_pass_until(3999);
    assert_string_equal(dut_seen(), "A@0 B@300 C@700 A@1030 B@1330 C@1730 A@2060 B@2360 C@2760 "
                                    "A@3070 B@3370 C@3770 ");
    assert_int_equal(dut_interrupts, 12 + 3); /* one more for each correction */
    assert_int_equal(hrl_dispatcher_synchronise(929), HRL_OK);
    assert_int_equal(hrl_gen_dispatcher.deviation, 0);
}

static void test_a_negative_one_makes_them_shorter_by_no_more_than_is_left(void **state)
{
    (void)state;
    dut_start(0);
    dut_pass_until(500);
    assert_int_equal(hrl_dispatcher_synchronise(900),
                     HRL_OK); /* 400 behind; 200 are left, less 20 */
    dut_pass_until(2999);
    assert_string_equal(dut_seen(),
                        "A@0 B@300 C@700 A@820 B@1120 C@1520 A@1640 B@1940 C@2340 A@2600 B@2900 ");
}

static void test_a_global_time_behind_the_sync_point_waits_for_the_next_round(void **state)
{
    (void)state;
    dut_start(0);
    dut_pass_until(850);
    assert_int_equal(hrl_dispatcher_synchronise(840), HRL_OK);
    dut_pass_until(2100);
    assert_string_equal(dut_seen(), "A@0 B@300 C@700 A@1000 B@1300 C@1700 A@2010 ");
}

static void test_a_global_time_behind_the_last_row_is_in_time_for_the_sync_point(void **state)
{
    (void)state;
    dut_start(0);
    dut_pass_until(750);
    assert_int_equal(hrl_dispatcher_synchronise(740), HRL_OK);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_RUNNING_AND_SYNCHRONOUS);
    dut_pass_until(1100);
    assert_string_equal(dut_seen(), "A@0 B@300 C@700 A@1010 ");
}

static void test_corrections_and_changes_of_one_round_go_together(void **state)
{
    (void)state;
    dut_start(0);
    dut_pass_until(750);
    assert_int_equal(hrl_dispatcher_set_mode(&dut_other), HRL_OK);
    assert_int_equal(hrl_dispatcher_synchronise(735), HRL_OK);
    dut_pass_until(1200);
    assert_string_equal(dut_seen(), "A@0 B@300 C@700 D@1115 ");
}

static void test_a_change_between_the_last_row_and_a_correction_goes_behind_that(void **state)
{
    (void)state;
    dut_start(0);
    dut_pass_until(750);
    assert_int_equal(hrl_dispatcher_synchronise(735), HRL_OK);
    assert_int_equal(hrl_gen_dispatcher.place, HRLI_DISPATCHER_SYNC);
    assert_int_equal(hrl_dispatcher_set_mode(&dut_other), HRL_OK);
    assert_int_equal(hrl_gen_dispatcher.place, HRLI_DISPATCHER_SYNC);
    dut_pass_until(1200);
    assert_string_equal(dut_seen(), "A@0 B@300 C@700 D@1115 ");
}

/* The minimum is all that there is between the sync point and the end of the round. */
static void test_no_round_gets_shorter_where_nothing_is_left_to_take(void **state)
{
    struct hrli_dispatcher_kind kind = dut_kind;

    (void)state;
    kind.minimum = dut_first.rest;
    dut_start_as(&kind, &dut_first, 0);
    (void)dut_told();
    dut_pass_until(500);
    assert_int_equal(hrl_dispatcher_synchronise(520), HRL_OK);
    dut_pass_until(2000);
    assert_string_equal(dut_seen(), "A@0 B@300 C@700 A@1000 B@1300 C@1700 A@2000 ");
    assert_int_equal(hrl_gen_dispatcher.deviation, -20);
    assert_string_equal(dut_told(), ""); /* no shift by 0 */
}

static void test_without_monitored_deadlines_all_of_it_goes_as_with_them(void **state)
{
    struct hrli_dispatcher_kind kind = dut_without_deadlines();

    (void)state;
    dut_start_as(&kind, &dut_first, 0);
    dut_pass_until(500);
    assert_int_equal(hrl_dispatcher_synchronise(520), HRL_OK);
    assert_int_equal(hrl_dispatcher_set_mode(&dut_other), HRL_OK);
    dut_pass_until(1200);
    assert_int_equal(hrl_gen_dispatcher.deviation, 0);
    assert_int_equal(hrl_dispatcher_stop(), HRL_OK);
    dut_pass_until(2000);
    assert_string_equal(dut_seen(), "A@0 B@300 C@700 D@1080 E@1480 ");
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_STOPPED);
    assert_false(dut_is_armed);
    assert_string_equal(dut_told(), "");
}

static void test_deadlines_are_told_of_rounds_and_shifts(void **state)
{
    (void)state;
    dut_start(0);
    assert_string_equal(dut_told(), "begin first@0 ");
    dut_pass_until(500);
    assert_int_equal(hrl_dispatcher_synchronise(520), HRL_OK);
    assert_int_equal(hrl_dispatcher_set_mode(&dut_other), HRL_OK);
    dut_pass_until(1200);
    assert_string_equal(dut_told(), "shift-20@800 end@980 begin other@980 ");
}

static void test_an_open_deadline_at_the_end_is_told_of_before_the_change(void **state)
{
    (void)state;
    dut_start(0);
    dut_pass_until(500);
    (void)dut_told();
    (void)hrl_dispatcher_set_mode(&dut_other);
    dut_pass_until(999);
    dut_deadline_is_open = true;
    dut_pass_until(1000);
    assert_string_equal(dut_told(), "");
    dut_deadline_is_open = false; /* its interrupt came */
    dut_pass_until(1099);
    assert_string_equal(dut_told(), "end@1000 begin other@1000 ");
    dut_pass_until(1200);
    assert_string_equal(dut_seen(), "A@0 B@300 C@700 D@1100 ");
}

/* The dispatcher comes again, a little later each time, until the deadline is told of. */
static void test_an_open_deadline_at_the_sync_point_is_told_of_before_the_correction(void **state)
{
    unsigned interrupts;

    (void)state;
    dut_start(0);
    dut_pass_until(500);
    (void)dut_told();
    assert_int_equal(hrl_dispatcher_synchronise(520), HRL_OK);
    dut_pass_until(799);
    interrupts = dut_interrupts;
    dut_deadline_is_open = true;
    dut_pass_until(810);
    assert_true(dut_interrupts > interrupts);
    assert_int_equal(hrl_gen_dispatcher.place, HRLI_DISPATCHER_SYNC);
    assert_int_equal(hrl_gen_dispatcher.deviation, -20);
    assert_string_equal(dut_told(), "");
    dut_deadline_is_open = false; /* its interrupt came */
    dut_pass_until(900);
    assert_int_equal(hrl_gen_dispatcher.deviation, 0);
    assert_int_equal(strncmp(dut_told(), "shift-20@8", 10), 0);
    dut_pass_until(980); /* and the next round begins as if it had come at once */
    assert_string_equal(dut_seen(), "A@0 B@300 C@700 A@980 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_mode_follows_at_the_end_of_the_round_that_runs),
        cmocka_unit_test(test_a_mode_that_is_asked_for_in_the_last_instant_is_in_time),
        cmocka_unit_test(test_at_the_begin_of_a_round_it_is_too_late_for_a_mode),
        cmocka_unit_test(test_a_wish_can_be_taken_back),
        cmocka_unit_test(test_it_stops_at_the_end_of_the_round_and_starts_again),
        cmocka_unit_test(test_a_positive_deviation_makes_rounds_longer),
        cmocka_unit_test(test_a_negative_one_makes_them_shorter_by_no_more_than_is_left),
        cmocka_unit_test(test_a_global_time_behind_the_sync_point_waits_for_the_next_round),
        cmocka_unit_test(test_a_global_time_behind_the_last_row_is_in_time_for_the_sync_point),
        cmocka_unit_test(test_corrections_and_changes_of_one_round_go_together),
        cmocka_unit_test(test_a_change_between_the_last_row_and_a_correction_goes_behind_that),
        cmocka_unit_test(test_no_round_gets_shorter_where_nothing_is_left_to_take),
        cmocka_unit_test(test_without_monitored_deadlines_all_of_it_goes_as_with_them),
        cmocka_unit_test(test_deadlines_are_told_of_rounds_and_shifts),
        cmocka_unit_test(test_an_open_deadline_at_the_end_is_told_of_before_the_change),
        cmocka_unit_test(test_an_open_deadline_at_the_sync_point_is_told_of_before_the_correction),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
