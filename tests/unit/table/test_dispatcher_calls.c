/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "dispatcher_under_test.h"
#include "with_cmocka.h"
#include <hrl/time.h>

/* Which calls are refused, with which status, and what the others leave. */

static hrl_counts now_and(hrl_counts more)
{
    return hrl_now() + more;
}

static void test_a_stopped_dispatcher_can_be_started_only(void **state)
{
    (void)state;
    dut_reset();
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_STOPPED);
    assert_int_equal(hrl_dispatcher_stop(), HRL_NOT_RUNNING);
    assert_int_equal(hrl_dispatcher_synchronise(1), HRL_STATE);
    assert_int_equal(hrl_dispatcher_set_asynchronous(), HRL_STATE);
    assert_int_equal(hrl_dispatcher_start_relative(0), HRL_VALUE);
    assert_int_equal(hrl_dispatcher_start_relative(((hrl_counts)1 << 30) + 1), HRL_VALUE);
    assert_int_equal(hrl_dispatcher_start_absolute(hrl_now()), HRL_VALUE);
    assert_int_equal(hrl_dispatcher_start_absolute(now_and(((hrl_counts)1 << 30) + 1)), HRL_VALUE);
    assert_false(dut_is_armed);
    assert_int_equal(hrl_dispatcher_start_absolute(now_and(DUT_BEFORE)), HRL_OK);
    assert_int_equal(hrl_dispatcher_start_absolute(now_and(DUT_BEFORE)), HRL_STATE);
    assert_int_equal(hrl_dispatcher_start_relative(1), HRL_STATE);
    dut_pass_until(300);
    assert_string_equal(dut_seen(), "A@0 B@300 ");
}

static void test_a_start_that_waits_can_be_changed_and_taken_back(void **state)
{
    (void)state;
    dut_reset();
    assert_int_equal(hrl_dispatcher_start_relative(DUT_BEFORE), HRL_OK);
    assert_int_equal(hrl_dispatcher_synchronise(1), HRL_STATE);
    assert_int_equal(hrl_dispatcher_set_mode(&dut_other), HRL_OK);
    assert_ptr_equal(hrl_dispatcher_mode(), &dut_other);
    assert_int_equal(dut_at(dut_due), 100);
    assert_int_equal(hrl_dispatcher_stop(), HRL_OK);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_STOPPED);
    assert_false(dut_is_armed);
    assert_string_equal(dut_told(), "begin first@0 end@0 begin other@0 end@0 ");
    assert_int_equal(hrl_dispatcher_set_mode(&dut_first), HRL_OK);
    assert_ptr_equal(hrl_dispatcher_mode(), &dut_first);
    assert_string_equal(hrl_dispatcher_mode_name(&dut_first), "first");
}

static void test_so_can_one_of_which_no_deadline_is_monitored(void **state)
{
    struct hrli_dispatcher_kind kind = dut_without_deadlines();

    (void)state;
    dut_reset();
    hrl_gen_dispatcher.kind = &kind;
    assert_int_equal(hrl_dispatcher_start_relative(DUT_BEFORE), HRL_OK);
    assert_int_equal(dut_at(dut_due), 0);
    assert_int_equal(hrl_dispatcher_set_mode(&dut_other), HRL_OK);
    assert_ptr_equal(hrl_dispatcher_mode(), &dut_other);
    assert_int_equal(dut_at(dut_due), 100);
    assert_int_equal(hrl_dispatcher_stop(), HRL_OK);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_STOPPED);
    assert_false(dut_is_armed);
    assert_string_equal(dut_told(), "");
}

/* The first row of the other mode comes 100 counts after the begin of its round. */
static void test_a_round_that_has_begun_waits_no_more_though_no_row_has_come(void **state)
{
    (void)state;
    dut_start_as(&dut_kind, &dut_other, 0);
    dut_pass_until(-1);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_WAITING);
    dut_pass_until(50);
    assert_true(hrl_gen_dispatcher.is_first);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_RUNNING);
    assert_int_equal(hrl_dispatcher_stop(), HRL_OK); /* behind its rows */
    dut_pass_until(1000);
    assert_string_equal(dut_seen(), "D@100 E@500 ");
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_STOPPED);
}

static void test_a_global_time_is_a_position_in_the_round(void **state)
{
    (void)state;
    dut_start(0);
    dut_pass_until(1400);
    assert_int_equal(hrl_dispatcher_synchronise(1000), HRL_VALUE);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_RUNNING);
    assert_int_equal(hrl_dispatcher_synchronise(389), HRL_OK);
    assert_int_equal(hrl_gen_dispatcher.deviation, 11);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_RUNNING);
    assert_int_equal(hrl_dispatcher_synchronise(410), HRL_OK);
    assert_int_equal(hrl_gen_dispatcher.deviation, -10);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_RUNNING_AND_SYNCHRONOUS);
    assert_int_equal(hrl_dispatcher_synchronise(900), HRL_OK);
    assert_int_equal(hrl_gen_dispatcher.deviation, 500); /* half a round: ahead */
    assert_int_equal(hrl_dispatcher_synchronise(899), HRL_OK);
    assert_int_equal(hrl_gen_dispatcher.deviation, -499);
    assert_int_equal(hrl_dispatcher_set_asynchronous(), HRL_OK);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_RUNNING);
    dut_pass_until(2000);
    assert_string_equal(dut_seen(), "A@0 B@300 C@700 A@1000 B@1300 C@1700 A@2000 ");
}

static void test_between_two_rounds_the_position_is_that_of_the_one_that_runs(void **state)
{
    (void)state;
    dut_start(0);
    dut_pass_until(1990);
    assert_int_equal(hrl_dispatcher_synchronise(5), HRL_OK);
    assert_int_equal(hrl_gen_dispatcher.deviation, -15);
    assert_int_equal(hrl_dispatcher_synchronise(990), HRL_OK);
    assert_int_equal(hrl_gen_dispatcher.deviation, 0);
}

static void test_a_clock_that_is_the_global_time_has_only_absolute_starts(void **state)
{
    struct hrli_dispatcher_kind kind = dut_kind;

    (void)state;
    dut_reset();
    kind.is_explicit = false;
    kind.is_implicit = true;
    hrl_gen_dispatcher.kind = &kind;
    assert_int_equal(hrl_dispatcher_start_relative(DUT_BEFORE), HRL_ID);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_STOPPED);
    assert_int_equal(hrl_dispatcher_start_absolute(now_and(DUT_BEFORE)), HRL_OK);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_WAITING);
    dut_pass_until(300);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_RUNNING_AND_SYNCHRONOUS);
    assert_int_equal(hrl_dispatcher_synchronise(1), HRL_ID);
    assert_int_equal(hrl_dispatcher_set_asynchronous(), HRL_ID);
    dut_pass_until(1000);
    assert_string_equal(dut_seen(), "A@0 B@300 C@700 A@1000 ");
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_RUNNING_AND_SYNCHRONOUS);
    assert_int_equal(hrl_dispatcher_stop(), HRL_OK);
    dut_pass_until(2000);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_STOPPED);
}

static void test_without_a_global_time_and_without_a_dispatcher(void **state)
{
    struct hrli_dispatcher_kind kind = dut_kind;

    (void)state;
    dut_start(0);
    kind.is_explicit = false;
    hrl_gen_dispatcher.kind = &kind;
    assert_int_equal(hrl_dispatcher_synchronise(1), HRL_ID);
    assert_int_equal(hrl_dispatcher_set_asynchronous(), HRL_ID);
    hrl_gen_dispatcher = (struct hrli_dispatcher){0};
    assert_int_equal(hrl_dispatcher_synchronise(1), HRL_ID);
    assert_int_equal(hrl_dispatcher_set_asynchronous(), HRL_ID);
    assert_int_equal(hrl_dispatcher_set_mode(&dut_other), HRL_ID);
    assert_int_equal(hrl_dispatcher_start_relative(1), HRL_ID);
    assert_int_equal(hrl_dispatcher_start_absolute(1), HRL_ID);
    assert_int_equal(hrl_dispatcher_stop(), HRL_ID);
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_STOPPED);
    assert_null(hrl_dispatcher_mode());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stopped_dispatcher_can_be_started_only),
        cmocka_unit_test(test_a_start_that_waits_can_be_changed_and_taken_back),
        cmocka_unit_test(test_so_can_one_of_which_no_deadline_is_monitored),
        cmocka_unit_test(test_a_round_that_has_begun_waits_no_more_though_no_row_has_come),
        cmocka_unit_test(test_a_global_time_is_a_position_in_the_round),
        cmocka_unit_test(test_between_two_rounds_the_position_is_that_of_the_one_that_runs),
        cmocka_unit_test(test_a_clock_that_is_the_global_time_has_only_absolute_starts),
        cmocka_unit_test(test_without_a_global_time_and_without_a_dispatcher),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
