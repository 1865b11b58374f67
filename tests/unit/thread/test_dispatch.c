/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "dispatch.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <string.h>

static struct hrl_thread idle, low, high, second;
static struct hrl_thread *left;

static void ready(struct hrl_thread *thread, uint32_t level)
{
    thread->ready.priority = level;
    thread->stack_pointer = thread; /* anything unique */
    hrli_ready_add(&hrli_core.ready, &thread->ready);
}

static void note_leaving(struct hrl_thread *thread)
{
    assert_ptr_equal(thread, hrli_core.running);
    left = thread;
}

static int set_up(void **state)
{
    (void)state;
    memset(&hrli_core, 0, sizeof hrli_core);
    hrli_ready_init(&hrli_core.ready);
    ready(&idle, 0);
    hrli_core.running = &idle;
    left = NULL;
    return 0;
}

static void test_the_switch_goes_to_the_most_urgent(void **state)
{
    int saved;

    (void)state;
    ready(&low, 3);
    ready(&high, 9);
    assert_ptr_equal(hrli_dispatch_switch(&saved, note_leaving), &high);
    assert_ptr_equal(hrl_thread_current(), &high);
    assert_ptr_equal(idle.stack_pointer, &saved);
    assert_int_equal(hrli_core.threshold, 9);
    assert_ptr_equal(left, &idle);
}

static void test_the_switch_may_go_nowhere(void **state)
{
    int saved;

    (void)state;
    assert_ptr_equal(hrli_dispatch_switch(&saved, note_leaving), &saved);
    assert_ptr_equal(hrl_thread_current(), &idle);
    assert_int_equal(hrli_core.threshold, 0);
    assert_ptr_equal(left, &idle);
}

static void test_a_yield_goes_to_the_next_of_the_level(void **state)
{
    int saved;

    (void)state;
    ready(&high, 9);
    ready(&second, 9);
    hrli_core.running = &high;
    hrli_core.threshold = 9;
    assert_ptr_equal(hrli_dispatch_yield(&saved, note_leaving, false), &second);
    assert_ptr_equal(hrl_thread_current(), &second);
    assert_ptr_equal(high.stack_pointer, &saved);
    assert_ptr_equal(left, &high);
    assert_ptr_equal(hrli_dispatch_yield(&idle, hrli_dispatch_leave_nothing, true), &saved);
}

/* Its slice ended between its asking and this. */
static void test_a_yield_of_a_thread_that_has_given_way_already(void **state)
{
    int saved;

    (void)state;
    ready(&second, 9);
    ready(&high, 9);
    hrli_core.running = &high;
    assert_ptr_equal(hrli_dispatch_yield(&saved, note_leaving, true), &saved);
    assert_ptr_equal(hrl_thread_current(), &high);
    assert_ptr_equal(hrli_ready_first(&hrli_core.ready), &second.ready);
}

static void test_a_yield_of_one_alone_goes_nowhere(void **state)
{
    int saved;

    (void)state;
    ready(&high, 9);
    hrli_core.running = &high;
    assert_ptr_equal(hrli_dispatch_yield(&saved, note_leaving, false), &saved);
    assert_ptr_equal(hrl_thread_current(), &high);
    assert_ptr_equal(left, &high);
}

/* What HRLI_DISPATCH_DEFINE makes is what the port calls. */
static void test_the_ports_calls_are_these(void **state)
{
    int saved;

    (void)state;
    sut_leave = note_leaving;
    ready(&high, 9);
    assert_ptr_equal(hrli_cpu_switch(&saved), &high);
    assert_ptr_equal(left, &idle);
    left = NULL;
    assert_ptr_equal(hrli_cpu_yield(&saved), &saved);
    assert_ptr_equal(left, &high);
    sut_leave = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_switch_goes_to_the_most_urgent, set_up),
        cmocka_unit_test_setup(test_the_switch_may_go_nowhere, set_up),
        cmocka_unit_test_setup(test_a_yield_goes_to_the_next_of_the_level, set_up),
        cmocka_unit_test_setup(test_a_yield_of_a_thread_that_has_given_way_already, set_up),
        cmocka_unit_test_setup(test_a_yield_of_one_alone_goes_nowhere, set_up),
        cmocka_unit_test_setup(test_the_ports_calls_are_these, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
