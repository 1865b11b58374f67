/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"
#include "hrlp_guard.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/kernel.h>

/*
 * The host has no guard for stacks, which all builds may ask for: the kernel's own text, with one
 * that can refuse.
 */
static bool has_guard = true;

#define hrlp_guard_start(stack) ((void)(stack), has_guard)
#include "../../../kernel/thread/system.c"

static hrl_counts first_now;

static void note_time(void)
{
    if (first_now == 0) {
        first_now = hrl_now();
    }
}

static void test_the_first_job_starts_at_t_0(void **state)
{
    (void)state;
    sut_reset();
    first_now = 0;
    sut_add_releaser((struct sut_releaser){.one_shot = true});
    sut_add_task(
        (struct sut_task){.level = 1, .period = sut_period(1000, 1), .cost = 1, .body = note_time});
    assert_string_equal(sut_run(10), "done");
    assert_int_equal(first_now, SUT_START_COUNTS);
}

static void test_threads_are_enrolled_in_the_order_of_the_description(void **state)
{
    (void)state;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true});
    for (unsigned i = 0; i < 10; i++) {
        sut_add_task((struct sut_task){.level = 4, .period = sut_period(1000, 1), .cost = 1});
    }
    sut_run(10);
    for (unsigned i = 0; i < 10; i++) {
        assert_int_equal(sut_nth('S', i, 0)->at, sut_zero() + i);
    }
}

static void test_a_system_without_tasks_idles(void **state)
{
    (void)state;
    sut_reset();
    assert_string_equal(sut_run(1000), "done");
    assert_int_equal(hrlp_host_now(), sut_zero() + 1000);
    assert_ptr_not_equal(hrl_thread_current(), NULL);
    assert_string_equal(hrl_thread_name(hrl_thread_current()), "idle");
}

static void test_a_second_start_finds_nothing_of_the_first(void **state)
{
    size_t events = 0;

    (void)state;
    for (int run = 0; run < 2; run++) {
        sut_reset();
        sut_add_releaser((struct sut_releaser){.cell_period = 1000});
        sut_add_task((struct sut_task){.level = 1, .period = sut_period(1000, 1), .cost = 1500});
        sut_run(10000);
        assert_true(run == 0 || events == sut_event_count);
        events = sut_event_count;
    }
}

static hrl_counts forever(void)
{
    return SUT_START_COUNTS;
}

static void test_a_start_that_takes_until_after_the_first_release_is_found(void **state)
{
    (void)state;
    sut_reset();
    hrlp_host_setup.port_call_counts = forever;
    sut_add_releaser((struct sut_releaser){.cell_period = 1000});
    sut_add_task((struct sut_task){.level = 1, .period = sut_period(1000, 1)});
    sut_run_to_assertion(1000, "the cells' start took until after the first release");
}

static hrl_counts some_hundreds_at_first(void)
{
    return hrlp_host_now() < SUT_START_COUNTS / 2 ? 600 : 0;
}

/* Cells that reach 1000 counts ahead, and releases 4000 behind t = 0: the start outlasts the first hops. */
static void test_a_start_may_outlast_the_first_hop_of_a_narrow_cell(void **state)
{
    (void)state;
    sut_reset();
    hrlp_host_setup.port_call_counts = some_hundreds_at_first;
    for (unsigned i = 0; i < 2; i++) {
        sut_add_releaser(
            (struct sut_releaser){.one_shot = true, .cooperates = i == 1, .span = 1000});
        sut_add_task((struct sut_task){.releaser = i,
                                       .level = 1 + i,
                                       .offset = 4000,
                                       .period = sut_period(100000, 1),
                                       .cost = 10});
    }
    sut_run(90000);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(sut_nth('R', i, 0)->value, sut_zero() + 4000);
        assert_int_equal(sut_count('S', i), 1);
    }
}

static void test_a_guard_that_the_processor_does_not_have_is_found(void **state)
{
    (void)state;
    sut_reset();
    has_guard = false;
    sut_run_to_assertion(1000,
                         "HRL_GUARD is set, but this processor has no memory protection unit");
    has_guard = true;
}

static void start_again(void *argument)
{
    (void)argument;
    hrl_start();
}

static void test_a_start_by_a_thread_is_found(void **state)
{
    (void)state;
    sut_reset();
    sut_start("wrong", 1, start_again, NULL);
    sut_run_to_assertion(1000, "hrl_start: once, in start-up code");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_job_starts_at_t_0),
        cmocka_unit_test(test_threads_are_enrolled_in_the_order_of_the_description),
        cmocka_unit_test(test_a_system_without_tasks_idles),
        cmocka_unit_test(test_a_second_start_finds_nothing_of_the_first),
        cmocka_unit_test(test_a_start_that_takes_until_after_the_first_release_is_found),
        cmocka_unit_test(test_a_start_may_outlast_the_first_hop_of_a_narrow_cell),
        cmocka_unit_test(test_a_guard_that_the_processor_does_not_have_is_found),
        cmocka_unit_test(test_a_start_by_a_thread_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
