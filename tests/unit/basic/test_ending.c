/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ending.h"
#include "hrlp_irq.h"
#include "line.h"
#include "lines_under_test.h"
#include "with_cmocka.h"

/* Jobs that end from nested calls, and chains. */

enum { HIGH, LOW, MATE };

static unsigned turns;

static void high(void)
{
    sut_note("high");
}

static __attribute__((noinline)) void deepest(void)
{
    hrl_basic_terminate();
}

static __attribute__((noinline)) void deep(void)
{
    volatile char room[64] = "something on the stack";

    deepest();
    sut_note(room[0] == 's' ? "never" : "");
}

static void end_early(void)
{
    sut_note("(");
    deep();
    sut_note("never");
}

static void activate_low(void *argument)
{
    (void)argument;
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(hrl_basic_activate(lut_task(LOW)), HRL_OK);
        sut_note("|");
    }
}

static void run(void (*high_body)(void), void (*low_body)(void))
{
    lut_reset();
    turns = 0;
    lut_add((struct lut_task){.level = 6, .may_end = true, .body = high_body});
    lut_add((struct lut_task){.level = 2, .may_end = true, .body = low_body});
    lut_add((struct lut_task){.level = 2, .limit = 2, .body = high});
    lut_build();
    sut_start("activator", 3, activate_low, NULL);
}

static void test_a_job_ends_from_a_nested_call(void **state)
{
    (void)state;
    run(high, end_early);
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "( | ( | ");
}

static void activate_high_and_end(void)
{
    sut_note("(");
    (void)hrl_basic_activate(lut_task(HIGH));
    deep();
}

static void test_ends_nest(void **state)
{
    (void)state;
    run(end_early, activate_high_and_end);
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "( ( | ( ( | ");
}

/* Ping-pong: each ends before the other begins, so that a limit of 1 is enough. */

static void low_chains(void)
{
    sut_note("low");
    (void)hrl_basic_chain(lut_task(HIGH));
    sut_note("never");
}

static void high_chains(void)
{
    sut_note("high");
    if (++turns % 3 != 0) {
        (void)hrl_basic_chain(lut_task(LOW));
        sut_note("never");
    }
}

static void test_two_chain_to_each_other(void **state)
{
    (void)state;
    run(high_chains, low_chains);
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "low high low high low high | low high low high low high | ");
    assert_int_equal(hrl_basic_overruns(lut_task(LOW)), 0);
}

static void chain_to_itself(void)
{
    sut_note("again");
    if (++turns % 3 != 0) {
        (void)hrl_basic_chain(lut_task(LOW));
        sut_note("never");
    }
}

static void test_a_task_chains_to_itself(void **state)
{
    (void)state;
    run(high, chain_to_itself);
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "again again again | again again again | ");
}

static void chain_to_a_full_one(void)
{
    assert_int_equal(hrl_basic_activate(lut_task(MATE)), HRL_OK);
    assert_int_equal(hrl_basic_activate(lut_task(MATE)), HRL_OK);
    assert_int_equal(hrl_basic_chain(lut_task(MATE)), HRL_FULL);
    sut_note("goes on");
}

static void test_a_task_that_chains_to_a_full_one_goes_on(void **state)
{
    (void)state;
    run(high, chain_to_a_full_one);
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "goes on high high | goes on high high | ");
    assert_int_equal(hrl_basic_overruns(lut_task(MATE)), 2);
}

static void chain_to_a_waiting_one(void)
{
    (void)hrl_basic_activate(lut_task(MATE));
    (void)hrl_basic_chain(lut_task(MATE));
}

static void test_a_task_that_chains_to_a_ready_one_lets_it_wait(void **state)
{
    (void)state;
    run(high, chain_to_a_waiting_one);
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "high high | high high | ");
}

static void end_masked(void)
{
    (void)hrlp_irq_lock();
    hrl_basic_terminate();
}

static void terminate(void *argument)
{
    (void)argument;
    hrl_basic_terminate();
}

static void test_what_is_wrong(void **state)
{
    (void)state;
    run(high, end_masked);
    sut_run_to_assertion(1000, "the end of a basic task with interrupts masked");
    lut_reset();
    lut_add((struct lut_task){.level = 6, .body = high});
    lut_add((struct lut_task){.name = "wrong", .level = 2, .body = deep});
    lut_build();
    sut_start("activator", 3, activate_low, NULL);
    sut_run_to_assertion(1000, "hrl_basic_terminate: for basic tasks that may end early");
    assert_string_equal(sut_asserted_in, "wrong");
    lut_reset();
    sut_start("thread", 3, terminate, NULL);
    sut_run_to_assertion(1000, "hrl_basic_terminate: for basic tasks that may end early");
    assert_string_equal(sut_asserted_in, "thread");
}

static void test_a_cells_own_task_is_not_chained_to(void **state)
{
    (void)state;
    run(high, low_chains);
    lut_give_to_cell(HIGH);
    sut_run_to_assertion(1000, "a basic task that is its cell's interrupt cannot be activated");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_job_ends_from_a_nested_call),
        cmocka_unit_test(test_ends_nest),
        cmocka_unit_test(test_two_chain_to_each_other),
        cmocka_unit_test(test_a_task_chains_to_itself),
        cmocka_unit_test(test_a_task_that_chains_to_a_full_one_goes_on),
        cmocka_unit_test(test_a_task_that_chains_to_a_ready_one_lets_it_wait),
        cmocka_unit_test(test_what_is_wrong),
        cmocka_unit_test(test_a_cells_own_task_is_not_chained_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
