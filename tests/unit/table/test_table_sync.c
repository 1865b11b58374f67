/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "tables_under_test.h"

/* Tables that follow a global time. Table a lasts 40: points at 5 (retard 3, advance 2), 10, 30 (4, 40). */

static void test_a_waiting_table_starts_with_the_first_global_time(void **state)
{
    (void)state;
    tut_reset(50);
    (void)hrl_schedule_table_start_synchronous(&tut_a);
    assert_int_equal(hrl_schedule_table_synchronise(&tut_a, 36), HRL_OK);
    assert_int_equal(hrl_schedule_table_state(&tut_a), HRL_TABLE_RUNNING_AND_SYNCHRONOUS);
    tut_count(15);
    tut_check("a0@59 a1@64 "); /* 40 - 36 + 5 ahead */
}

static void test_a_waiting_table_starts_in_the_present_round(void **state)
{
    (void)state;
    tut_reset(50);
    (void)hrl_schedule_table_start_synchronous(&tut_a);
    (void)hrl_schedule_table_synchronise(&tut_a, 1);
    tut_count(10);
    tut_check("a0@54 a1@59 "); /* 5 - 1 ahead */
}

static void test_a_global_time_at_the_first_point_waits_for_the_next_round(void **state)
{
    (void)state;
    tut_reset(0);
    (void)hrl_schedule_table_start_synchronous(&tut_a);
    (void)hrl_schedule_table_synchronise(&tut_a, 5);
    tut_count(39);
    tut_check("");
    tut_count(1);
    tut_check("a0@40 ");
}

static void test_one_that_is_ahead_is_delayed(void **state)
{
    (void)state;
    tut_reset(0);
    (void)hrl_schedule_table_start_absolute(&tut_a, 0);
    assert_int_equal(hrl_schedule_table_state(&tut_a), HRL_TABLE_RUNNING);
    (void)hrl_schedule_table_synchronise(&tut_a, 33); /* position 0: ahead by 7 */
    assert_int_equal(hrl_schedule_table_state(&tut_a), HRL_TABLE_RUNNING);
    tut_count(5);
    assert_int_equal(tut_a.deviation, 4); /* the point at 5 takes 3 of it */
    tut_count(35);
    tut_check("a0@5 a1@13 a2@33 ");
    assert_int_equal(hrl_schedule_table_state(&tut_a), HRL_TABLE_RUNNING_AND_SYNCHRONOUS);
    tut_count(13);
    tut_check("a0@52 "); /* 47 + 5: the last point took 4 */
}

static void test_one_that_is_behind_is_advanced_within_its_limits(void **state)
{
    (void)state;
    tut_reset(0);
    (void)hrl_schedule_table_start_absolute(&tut_a, 0);
    (void)hrl_schedule_table_synchronise(&tut_a, 19); /* behind by 19 */
    tut_count(40);
    /* 2 of it behind the point at 5, 8 behind the last one: the minimum cycle is left of its 10. */
    tut_check("a0@5 a1@8 a2@28 a0@35 a1@38 ");
    assert_int_equal(tut_a.deviation, -7); /* 19 - 2 - 8 - 2 */
    tut_count(60);
    assert_int_equal(tut_a.deviation, 0);
    assert_int_equal(hrl_schedule_table_state(&tut_a), HRL_TABLE_RUNNING_AND_SYNCHRONOUS);
}

static void test_half_a_round_counts_as_ahead(void **state)
{
    (void)state;
    tut_reset(0);
    (void)hrl_schedule_table_start_absolute(&tut_a, 0);
    (void)hrl_schedule_table_synchronise(&tut_a, 20);
    assert_int_equal(tut_a.deviation, 20);
    (void)hrl_schedule_table_synchronise(&tut_a, 21);
    assert_int_equal(tut_a.deviation, 19); /* 0 - 21 is 19 of the round before */
    (void)hrl_schedule_table_synchronise(&tut_a, 19);
    assert_int_equal(tut_a.deviation, -19);
}

static void test_a_deviation_within_the_precision_is_synchronous(void **state)
{
    (void)state;
    tut_reset(0);
    (void)hrl_schedule_table_start_absolute(&tut_a, 0);
    (void)hrl_schedule_table_synchronise(&tut_a, 39);
    assert_int_equal(hrl_schedule_table_state(&tut_a), HRL_TABLE_RUNNING_AND_SYNCHRONOUS);
    (void)hrl_schedule_table_synchronise(&tut_a, 38);
    assert_int_equal(hrl_schedule_table_state(&tut_a), HRL_TABLE_RUNNING);
}

static void test_a_lost_global_time_ends_the_corrections(void **state)
{
    (void)state;
    tut_reset(0);
    (void)hrl_schedule_table_start_absolute(&tut_a, 0);
    (void)hrl_schedule_table_synchronise(&tut_a, 33);
    tut_count(5);
    assert_int_equal(hrl_schedule_table_set_asynchronous(&tut_a), HRL_OK);
    assert_int_equal(hrl_schedule_table_state(&tut_a), HRL_TABLE_RUNNING);
    tut_count(50);
    tut_check("a0@5 a1@13 a2@33 a0@48 a1@53 "); /* that of the first point is finished */
}

static void test_the_table_that_follows_comes_no_closer_than_the_minimum_cycle(void **state)
{
    (void)state;
    tut_reset(0);
    (void)hrl_schedule_table_start_absolute(&tut_a, 0);
    (void)hrl_schedule_table_synchronise(&tut_a, 19);
    (void)hrl_schedule_table_next(&tut_a, &tut_b);
    tut_count(30);
    tut_check("a0@5 a1@8 a2@28 b0@30 "); /* table b has a point at its start */
}

static void test_the_table_that_follows_has_the_deviation(void **state)
{
    (void)state;
    tut_reset(0);
    (void)hrl_schedule_table_start_absolute(&tut_a, 0);
    (void)hrl_schedule_table_synchronise(&tut_a, 30); /* ahead by 10: 3 and 4 are taken */
    (void)hrl_schedule_table_next(&tut_a, &tut_b);
    tut_count(48);
    assert_int_equal(tut_b.deviation, 3);
    assert_int_equal(hrl_schedule_table_state(&tut_b), HRL_TABLE_RUNNING);
}

static void test_the_deviation_is_one_of_the_round_that_follows(void **state)
{
    (void)state;
    tut_reset(0);
    (void)hrl_schedule_table_start_absolute(&tut_a, 0);
    (void)hrl_schedule_table_synchronise(&tut_a, 27); /* ahead by 13: 7 are taken */
    (void)hrl_schedule_table_next(&tut_a, &tut_b);
    tut_count(46);
    assert_int_equal(tut_a.deviation, 6);
    tut_count(1);
    assert_int_equal(tut_b.deviation, -1); /* its round lasts 7 */
    assert_int_equal(hrl_schedule_table_state(&tut_b), HRL_TABLE_RUNNING_AND_SYNCHRONOUS);
    tut_reset(0);
    (void)hrl_schedule_table_start_absolute(&tut_a, 0);
    (void)hrl_schedule_table_synchronise(&tut_a, 15); /* behind by 15: 2 and 8 are taken */
    (void)hrl_schedule_table_next(&tut_a, &tut_b);
    tut_count(30);
    assert_int_equal(tut_b.deviation, 2);
}

static const struct hrl_expiry_point tight_points[] = {
    HRL_EXPIRY_POINT_MOVABLE(0, b0, 0, 5),
    HRL_EXPIRY_POINT_MOVABLE(2, b1, 0, 5),
};
HRL_SCHEDULE_TABLE_DEFINE_SYNC(tight, &tut_counter, 8, HRL_REPEATING, tight_points,
                               HRL_SYNC_EXPLICIT, 0);

static void test_points_come_no_closer_than_the_minimum_cycle(void **state)
{
    (void)state;
    tut_reset(0);
    (void)hrl_schedule_table_start_absolute(&tight, 1);
    (void)hrl_schedule_table_synchronise(&tight, 2); /* position 7: behind by 3 */
    tut_count(12);
    tut_check("b0@1 b1@3 b0@6 b1@8 "); /* 6 - 3 between rounds, and 2 within them */
    assert_int_equal(hrl_schedule_table_state(&tight), HRL_TABLE_RUNNING_AND_SYNCHRONOUS);
    (void)hrl_schedule_table_stop(&tight);
}

/*
 * A counter that is fast or slow against the global time, by 800 steps in all: the table deviates by what
 * passes between two global times, at most some 280 steps.
 */
static void follow(int32_t per_thousand)
{
    struct random random = {11};
    int64_t global = 0; /* in thousandths of a step */

    tut_reset(0);
    (void)hrl_schedule_table_start_synchronous(&tut_a);
    for (uint32_t step = 0; step < 40000; step++) {
        tut_count(1);
        sut_notes[0] = '\0';
        global += 1000 + per_thousand;
        if (random_below(&random, 40) == 0) {
            (void)hrl_schedule_table_synchronise(&tut_a, (uint32_t)(global / 1000 % 40));
            if (step > 200) {
                assert_true(tut_a.deviation >= -7 && tut_a.deviation <= 7);
            }
        }
    }
}

static void test_it_follows_a_clock_that_is_fast_or_slow(void **state)
{
    (void)state;
    follow(0);
    follow(20);
    follow(-20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_waiting_table_starts_with_the_first_global_time),
        cmocka_unit_test(test_a_waiting_table_starts_in_the_present_round),
        cmocka_unit_test(test_a_global_time_at_the_first_point_waits_for_the_next_round),
        cmocka_unit_test(test_one_that_is_ahead_is_delayed),
        cmocka_unit_test(test_one_that_is_behind_is_advanced_within_its_limits),
        cmocka_unit_test(test_half_a_round_counts_as_ahead),
        cmocka_unit_test(test_a_deviation_within_the_precision_is_synchronous),
        cmocka_unit_test(test_a_lost_global_time_ends_the_corrections),
        cmocka_unit_test(test_the_table_that_follows_comes_no_closer_than_the_minimum_cycle),
        cmocka_unit_test(test_the_table_that_follows_has_the_deviation),
        cmocka_unit_test(test_the_deviation_is_one_of_the_round_that_follows),
        cmocka_unit_test(test_points_come_no_closer_than_the_minimum_cycle),
        cmocka_unit_test(test_it_follows_a_clock_that_is_fast_or_slow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
