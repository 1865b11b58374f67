/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tables_under_test.h"

/* The calls, their statuses and the states that follow, on a software counter. */

static void test_a_relative_start(void **state)
{
    (void)state;
    tut_reset(97);
    assert_int_equal(hrl_schedule_table_start_relative(&tut_a, 3), HRL_OK);
    assert_int_equal(hrl_schedule_table_state(&tut_a), HRL_TABLE_RUNNING);
    assert_int_equal(hrl_schedule_table_start_relative(&tut_a, 3), HRL_STATE);
    tut_count(7);
    tut_check("");
    tut_count(1);
    tut_check("a0@5 "); /* 97 + 3 + 5, behind the wrap */
    tut_count(80);
    tut_check("a1@10 a2@30 a0@45 a1@50 a2@70 a0@85 ");
}

static void test_a_relative_start_refused(void **state)
{
    (void)state;
    tut_reset(0);
    assert_int_equal(hrl_schedule_table_start_relative(&tut_a, 0), HRL_VALUE);
    assert_int_equal(hrl_schedule_table_start_relative(&tut_a, 95), HRL_VALUE);
    assert_int_equal(hrl_schedule_table_state(&tut_a), HRL_TABLE_STOPPED);
    assert_int_equal(hrl_schedule_table_start_relative(&tut_a, 94), HRL_OK);
    tut_count(99);
    tut_check("a0@99 ");
}

static const struct hrl_expiry_point at_the_end[] = {HRL_EXPIRY_POINT(100, a0)};
HRL_SCHEDULE_TABLE_DEFINE(long_one, &tut_counter, 100, HRL_SINGLE_SHOT, at_the_end);

static void test_no_relative_start_has_a_point_behind_a_whole_round_of_the_counter(void **state)
{
    (void)state;
    tut_reset(7);
    assert_int_equal(hrl_schedule_table_start_relative(&long_one, 1), HRL_VALUE);
    assert_int_equal(hrl_schedule_table_start_absolute(&long_one, 7), HRL_OK);
    tut_count(99);
    tut_check("");
    tut_count(1);
    tut_check("a0@7 ");
    assert_int_equal(hrl_schedule_table_state(&long_one), HRL_TABLE_STOPPED);
}

static void test_an_absolute_start_counts_from_the_value(void **state)
{
    (void)state;
    tut_reset(20);
    assert_int_equal(hrl_schedule_table_start_absolute(&tut_a, 100), HRL_VALUE);
    assert_int_equal(hrl_schedule_table_start_absolute(&tut_a, 15), HRL_OK); /* 20: next time */
    assert_int_equal(hrl_schedule_table_start_absolute(&tut_a, 15), HRL_STATE);
    tut_count(99);
    tut_check("");
    tut_count(1);
    tut_check("a0@20 ");
}

static void test_an_absolute_start_over_the_wrap(void **state)
{
    (void)state;
    tut_reset(20);
    assert_int_equal(hrl_schedule_table_start_absolute(&tut_a, 98), HRL_OK);
    tut_count(83);
    tut_check("a0@3 ");
}

static void test_a_single_shot_ends_with_its_last_point(void **state)
{
    (void)state;
    tut_reset(0);
    assert_int_equal(hrl_schedule_table_start_absolute(&tut_b, 4), HRL_OK);
    tut_count(10);
    assert_int_equal(hrl_schedule_table_state(&tut_b), HRL_TABLE_RUNNING);
    tut_count(1);
    tut_check("b0@4 b1@11 ");
    assert_int_equal(hrl_schedule_table_state(&tut_b), HRL_TABLE_STOPPED); /* no final delay */
    assert_null(tut_counter.tables);
    assert_int_equal(hrl_schedule_table_start_absolute(&tut_b, 12), HRL_OK);
    tut_count(8);
    tut_check("b0@12 b1@19 ");
}

static void test_stop(void **state)
{
    (void)state;
    tut_reset(0);
    assert_int_equal(hrl_schedule_table_stop(&tut_a), HRL_NOT_RUNNING);
    assert_int_equal(hrl_schedule_table_start_absolute(&tut_a, 0), HRL_OK);
    tut_count(9);
    assert_int_equal(hrl_schedule_table_stop(&tut_a), HRL_OK);
    assert_int_equal(hrl_schedule_table_stop(&tut_a), HRL_NOT_RUNNING);
    tut_count(200);
    tut_check("a0@5 ");
}

static void test_the_next_table_starts_at_the_end(void **state)
{
    (void)state;
    tut_reset(0);
    assert_int_equal(hrl_schedule_table_next(&tut_a, &tut_b), HRL_NOT_RUNNING);
    assert_int_equal(hrl_schedule_table_next(&tut_a, &tut_plain), HRL_ID); /* other strategies */
    (void)hrl_schedule_table_start_absolute(&tut_a, 1);
    assert_int_equal(hrl_schedule_table_next(&tut_a, &tut_a), HRL_STATE);
    assert_int_equal(hrl_schedule_table_next(&tut_a, &tut_b), HRL_OK);
    assert_int_equal(hrl_schedule_table_state(&tut_b), HRL_TABLE_NEXT);
    assert_int_equal(hrl_schedule_table_next(&tut_b, &tut_a), HRL_NOT_RUNNING);
    assert_int_equal(hrl_schedule_table_start_absolute(&tut_b, 0), HRL_STATE);
    assert_int_equal(hrl_schedule_table_synchronise(&tut_b, 0), HRL_STATE);
    tut_count(60);
    tut_check("a0@6 a1@11 a2@31 b0@41 b1@48 ");
    assert_int_equal(hrl_schedule_table_state(&tut_a), HRL_TABLE_STOPPED);
    assert_int_equal(hrl_schedule_table_state(&tut_b), HRL_TABLE_STOPPED);
}

static void test_a_stop_stops_the_next_one(void **state)
{
    (void)state;
    tut_reset(0);
    (void)hrl_schedule_table_start_absolute(&tut_a, 1);
    (void)hrl_schedule_table_next(&tut_a, &tut_b);
    assert_int_equal(hrl_schedule_table_stop(&tut_a), HRL_OK);
    assert_int_equal(hrl_schedule_table_state(&tut_b), HRL_TABLE_STOPPED);
    (void)hrl_schedule_table_start_absolute(&tut_a, 1);
    (void)hrl_schedule_table_next(&tut_a, &tut_b);
    assert_int_equal(hrl_schedule_table_stop(&tut_b), HRL_OK); /* not next any more */
    tut_count(50);
    tut_check("a0@6 a1@11 a2@31 a0@46 ");
}

static void test_a_table_that_has_followed_leaves_its_leader(void **state)
{
    static struct hrl_schedule_table other;

    (void)state;
    tut_reset(0);
    other = tut_b;
    (void)hrl_schedule_table_start_absolute(&tut_a, 1);
    (void)hrl_schedule_table_next(&tut_a, &tut_b);
    tut_count(42);
    assert_int_equal(hrl_schedule_table_state(&tut_b), HRL_TABLE_RUNNING);
    (void)hrl_schedule_table_start_absolute(&tut_a, 50);
    (void)hrl_schedule_table_next(&tut_a, &other);
    assert_int_equal(hrl_schedule_table_stop(&tut_b), HRL_OK);
    sut_notes[0] = '\0';
    tut_count(60);
    tut_check("a0@55 a1@60 a2@80 b0@90 b1@97 "); /* the other one still follows */
}

static void test_another_next_replaces_the_first(void **state)
{
    static struct hrl_schedule_table other;

    (void)state;
    tut_reset(0);
    other = tut_b;
    (void)hrl_schedule_table_start_absolute(&tut_a, 1);
    (void)hrl_schedule_table_next(&tut_a, &other);
    assert_int_equal(hrl_schedule_table_next(&tut_a, &tut_b), HRL_OK);
    assert_int_equal(hrl_schedule_table_state(&other), HRL_TABLE_STOPPED);
    assert_int_equal(hrl_schedule_table_state(&tut_b), HRL_TABLE_NEXT);
}

static void test_calls_for_other_strategies(void **state)
{
    (void)state;
    tut_reset(0);
    assert_int_equal(hrl_schedule_table_start_synchronous(&tut_plain), HRL_ID);
    assert_int_equal(hrl_schedule_table_synchronise(&tut_plain, 0), HRL_ID);
    assert_int_equal(hrl_schedule_table_set_asynchronous(&tut_plain), HRL_ID);
}

static void test_calls_of_explicit_synchronisation(void **state)
{
    (void)state;
    tut_reset(0);
    assert_int_equal(hrl_schedule_table_synchronise(&tut_a, 40), HRL_VALUE);
    assert_int_equal(hrl_schedule_table_synchronise(&tut_a, 0), HRL_STATE);
    assert_int_equal(hrl_schedule_table_set_asynchronous(&tut_a), HRL_STATE);
    assert_int_equal(hrl_schedule_table_start_synchronous(&tut_a), HRL_OK);
    assert_int_equal(hrl_schedule_table_start_synchronous(&tut_a), HRL_STATE);
    assert_int_equal(hrl_schedule_table_state(&tut_a), HRL_TABLE_WAITING);
    tut_count(200);
    tut_check("");
    assert_int_equal(hrl_schedule_table_stop(&tut_a), HRL_OK);
}

static void stop_b(void)
{
    (void)hrl_schedule_table_stop(&tut_b);
}

static hrl_counts each_call_takes_one(void)
{
    return 1;
}

static hrl_counts stop_after;

static void start_what_is_stopped_meanwhile(void *argument)
{
    enum hrl_status status;

    (void)argument;
    assert_int_equal(hrl_schedule_table_start_absolute(&tut_b, 50), HRL_OK);
    sut_interrupt_in(stop_after, stop_b);
    hrlp_host_setup.port_call_counts = each_call_takes_one;
    status = hrl_schedule_table_start_absolute(&tut_b, 60);
    hrlp_host_setup.port_call_counts = NULL;
    sut_note(status == HRL_OK ? "started" : status == HRL_STATE ? "refused" : "wrong");
}

static void test_the_status_is_that_of_the_moment_of_the_call(void **state)
{
    (void)state;
    for (stop_after = 1; stop_after < 10; stop_after++) {
        tut_reset(0);
        sut_start("thread", 3, start_what_is_stopped_meanwhile, NULL);
        sut_run(1000);
        assert_string_equal(sut_notes, "refused ");
    }
}

static struct hrl_schedule_table wrong;

static void start_relative(void)
{
    (void)hrl_schedule_table_start_relative(&wrong, 1);
}

static void start_absolute(void)
{
    (void)hrl_schedule_table_start_absolute(&wrong, 0);
}

static void start_synchronous(void)
{
    (void)hrl_schedule_table_start_synchronous(&wrong);
}

static void make_it_next(void)
{
    (void)hrl_schedule_table_next(&tut_a, &wrong);
}

static void test_offsets_that_are_wrong_stop_the_program(void **state)
{
    static const struct hrl_expiry_point close[] = {HRL_EXPIRY_POINT(5, a0),
                                                    HRL_EXPIRY_POINT(6, a1)};
    static const struct hrl_expiry_point first[] = {HRL_EXPIRY_POINT(1, a0)};
    static const struct hrl_expiry_point largest[] = {HRL_EXPIRY_POINT(UINT32_MAX, a0),
                                                      HRL_EXPIRY_POINT(5, a1)};

    (void)state;
    tut_reset(0);
    wrong = tut_a;
    wrong.points = close; /* than the minimum cycle */
    wrong.count = 2;
    sut_call_to_assertion(start_absolute,
                          "hrl_schedule_table_start_absolute: the table's offsets are wrong");
    wrong.points = largest; /* they do not ascend, not even over the wrap */
    sut_call_to_assertion(start_absolute,
                          "hrl_schedule_table_start_absolute: the table's offsets are wrong");
    wrong.points = first; /* the initial offset is below it */
    wrong.count = 1;
    sut_call_to_assertion(start_absolute,
                          "hrl_schedule_table_start_absolute: the table's offsets are wrong");
    wrong = tut_a;
    wrong.duration = 31; /* the final delay is below it */
    sut_call_to_assertion(start_relative,
                          "hrl_schedule_table_start_relative: the table's offsets are wrong");
    wrong.duration = 29; /* the last point is behind it */
    sut_call_to_assertion(make_it_next, "hrl_schedule_table_next: the table's offsets are wrong");
    wrong = tut_a;
    wrong.duration = 101; /* beyond the counter */
    sut_call_to_assertion(start_synchronous,
                          "hrl_schedule_table_start_synchronous: the table's offsets are wrong");
    wrong = tut_b;
    wrong.strategy = HRL_SYNC_IMPLICIT; /* and not as long as the counter */
    sut_call_to_assertion(start_absolute,
                          "hrl_schedule_table_start_absolute: the table's offsets are wrong");
    wrong = tut_a;
    wrong.count = 0;
    sut_call_to_assertion(start_absolute,
                          "hrl_schedule_table_start_absolute: the table's offsets are wrong");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_relative_start),
        cmocka_unit_test(test_a_relative_start_refused),
        cmocka_unit_test(test_no_relative_start_has_a_point_behind_a_whole_round_of_the_counter),
        cmocka_unit_test(test_an_absolute_start_counts_from_the_value),
        cmocka_unit_test(test_an_absolute_start_over_the_wrap),
        cmocka_unit_test(test_a_single_shot_ends_with_its_last_point),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_the_next_table_starts_at_the_end),
        cmocka_unit_test(test_a_stop_stops_the_next_one),
        cmocka_unit_test(test_a_table_that_has_followed_leaves_its_leader),
        cmocka_unit_test(test_another_next_replaces_the_first),
        cmocka_unit_test(test_calls_for_other_strategies),
        cmocka_unit_test(test_calls_of_explicit_synchronisation),
        cmocka_unit_test(test_the_status_is_that_of_the_moment_of_the_call),
        cmocka_unit_test(test_offsets_that_are_wrong_stop_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
