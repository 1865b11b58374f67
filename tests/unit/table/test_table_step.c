/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "table_step.h"
#include "tables_under_test.h"

/* What happens at points: in which order, and for how long. */

HRL_EVENT_DEFINE(event);
HRL_SEMAPHORE_DEFINE(semaphore, 0, 5);

static void look(const void *unused, uint32_t flags)
{
    (void)unused;
    assert_int_equal(hrl_event_flags(&event), flags);
    assert_int_equal(hrl_semaphore_count(&semaphore), 1);
    sut_note("looked");
}

static const struct hrl_table_action all[] = {
    HRL_TABLE_SET(&event, 6),
    HRL_TABLE_CALL(look, NULL, 6),
    HRL_TABLE_GIVE(&semaphore),
};
static const struct hrl_expiry_point one[] = {HRL_EXPIRY_POINT(0, all)};
HRL_SCHEDULE_TABLE_DEFINE(acts, &tut_counter, 2, HRL_SINGLE_SHOT, one);

static void test_activations_come_before_events(void **state)
{
    (void)state;
    tut_reset(0);
    event.flags = 0;
    semaphore.count = 0;
    (void)hrl_schedule_table_start_absolute(&acts, 1);
    tut_count(1);
    tut_check("looked ");
}

static void test_tables_of_one_instant_go_in_the_order_of_their_starts(void **state)
{
    (void)state;
    tut_reset(0);
    (void)hrl_schedule_table_start_absolute(&tut_plain, 5);
    (void)hrl_schedule_table_start_absolute(&tut_a, 0);
    tut_count(5);
    tut_check("b0@5 a0@5 ");
    (void)hrl_schedule_table_stop(&tut_plain);
    (void)hrl_schedule_table_start_absolute(&tut_plain, 10);
    tut_count(5);
    tut_check("a1@10 b0@10 ");
}

/* Threads that a point wakes, from a thread that counts: they run when all points of the value have been. */
static void wait_for_semaphore(void *name)
{
    (void)hrl_semaphore_take(&semaphore, HRL_FOREVER);
    sut_note((const char *)name);
}

static void wait_for_event(void *name)
{
    (void)hrl_event_wait(&event, 2, HRL_EVENT_ANY, HRL_FOREVER, NULL);
    sut_note((const char *)name);
}

static const struct hrl_table_action wake_all[] = {
    HRL_TABLE_SET(&event, 2),
    HRL_TABLE_GIVE(&semaphore),
};
static const struct hrl_expiry_point at_six[] = {HRL_EXPIRY_POINT(6, wake_all)};
HRL_SCHEDULE_TABLE_DEFINE(waker, &tut_counter, 10, HRL_SINGLE_SHOT, at_six);

static void count_to_six(void *argument)
{
    (void)argument;
    (void)hrl_schedule_table_start_absolute(&waker, 0);
    (void)hrl_schedule_table_start_absolute(&tut_plain, 6);
    (void)hrl_schedule_table_start_absolute(&tut_a, 1);
    tut_count(6);
    sut_note("counted");
}

static void test_no_thread_runs_before_all_points_of_a_value(void **state)
{
    (void)state;
    tut_reset(0);
    event.flags = 0;
    semaphore.count = 0;
    sut_start("high", 9, wait_for_event, "high");
    sut_start("low", 2, wait_for_event, "low");
    sut_start("middle", 8, wait_for_semaphore, "middle");
    sut_start("counts", 3, count_to_six, NULL);
    sut_run(1000);
    tut_check("b0@6 a0@6 high middle counted low ");
}

static void stop_the_other(const void *other, uint32_t unused)
{
    (void)unused;
    (void)hrl_schedule_table_stop((struct hrl_schedule_table *)(uintptr_t)other);
    sut_note("stopped");
}

static const struct hrl_table_action stopping[] = {HRL_TABLE_CALL(stop_the_other, &tut_a, 0)};
static const struct hrl_expiry_point at_five[] = {HRL_EXPIRY_POINT(5, stopping)};
HRL_SCHEDULE_TABLE_DEFINE(stopper, &tut_counter, 50, HRL_SINGLE_SHOT, at_five);

static void test_a_point_may_stop_a_table_of_the_same_instant(void **state)
{
    (void)state;
    tut_reset(0);
    (void)hrl_schedule_table_start_absolute(&stopper, 0);
    (void)hrl_schedule_table_start_absolute(&tut_a, 0);
    tut_count(60);
    tut_check("stopped ");
    assert_false(hrli_table_runs(&stopper));
}

static const struct hrl_expiry_point whole[] = {HRL_EXPIRY_POINT(0, b0)};
HRL_SCHEDULE_TABLE_DEFINE_SYNC(implicit, &tut_counter, 100, HRL_REPEATING, whole, HRL_SYNC_IMPLICIT,
                               0);

static void test_a_round_as_long_as_the_counter(void **state)
{
    (void)state;
    tut_reset(50);
    assert_int_equal(hrl_schedule_table_start_relative(&implicit, 1), HRL_ID);
    (void)hrl_schedule_table_start_absolute(&implicit, 60);
    assert_int_equal(hrl_schedule_table_state(&implicit), HRL_TABLE_RUNNING_AND_SYNCHRONOUS);
    tut_count(410);
    tut_check("b0@60 b0@60 b0@60 b0@60 b0@60 ");
    (void)hrl_schedule_table_stop(&implicit);
}

static uint32_t rounds;

static void count_round(const void *unused, uint32_t value)
{
    (void)unused;
    assert_int_equal(hrl_counter_value(&tut_counter) % 4u, value);
    rounds++;
}

static const struct hrl_table_action counting[] = {HRL_TABLE_CALL(count_round, NULL, 2)};
static const struct hrl_expiry_point half[] = {HRL_EXPIRY_POINT(2, counting)};
HRL_SCHEDULE_TABLE_DEFINE(drift_free, &tut_counter, 4, HRL_REPEATING, half);

static void test_a_million_rounds_do_not_drift(void **state)
{
    (void)state;
    tut_reset(0);
    rounds = 0;
    (void)hrl_schedule_table_start_absolute(&drift_free, 0);
    tut_count(4u * 1000000u);
    assert_int_equal(rounds, 1000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_activations_come_before_events),
        cmocka_unit_test(test_no_thread_runs_before_all_points_of_a_value),
        cmocka_unit_test(test_tables_of_one_instant_go_in_the_order_of_their_starts),
        cmocka_unit_test(test_a_point_may_stop_a_table_of_the_same_instant),
        cmocka_unit_test(test_a_round_as_long_as_the_counter),
        cmocka_unit_test(test_a_million_rounds_do_not_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
