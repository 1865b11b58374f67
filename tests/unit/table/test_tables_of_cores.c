/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tables_under_test.h"
#include "two_cores.h"

/* A counter and its tables are of one core, that which uses them first. */

static void increment(void)
{
    hrl_counter_increment(&tut_counter);
}

static void start_relative(void)
{
    (void)hrl_schedule_table_start_relative(&tut_a, 1);
}

static void start_absolute(void)
{
    (void)hrl_schedule_table_start_absolute(&tut_a, 0);
}

static void start_synchronous(void)
{
    (void)hrl_schedule_table_start_synchronous(&tut_a);
}

static void stop(void)
{
    (void)hrl_schedule_table_stop(&tut_a);
}

static void make_it_next(void)
{
    (void)hrl_schedule_table_next(&tut_a, &tut_b);
}

static void synchronise(void)
{
    (void)hrl_schedule_table_synchronise(&tut_a, 0);
}

static void set_asynchronous(void)
{
    (void)hrl_schedule_table_set_asynchronous(&tut_a);
}

static const struct {
    void (*call)(void);
    const char *reason;
} calls[] = {
    {increment, "hrl_counter_increment: a counter of another core"},
    {start_relative, "hrl_schedule_table_start_relative: a table of another core"},
    {start_absolute, "hrl_schedule_table_start_absolute: a table of another core"},
    {start_synchronous, "hrl_schedule_table_start_synchronous: a table of another core"},
    {stop, "hrl_schedule_table_stop: a table of another core"},
    {make_it_next, "hrl_schedule_table_next: a table of another core"},
    {synchronise, "hrl_schedule_table_synchronise: a table of another core"},
    {set_asynchronous, "hrl_schedule_table_set_asynchronous: a table of another core"},
};
enum { CALLS = sizeof calls / sizeof calls[0] };

/* Each call may be the first, and each one after that stops on the other core, before it has done anything. */
static void test_calls_are_of_one_core(void **state)
{
    (void)state;
    for (unsigned first = 0; first < CALLS; first++) {
        for (unsigned second = 0; second < CALLS; second++) {
            enum hrl_table_state before;
            uint32_t value;

            tut_reset(10);
            tut_counter.home.owner = 0;
            two_cores_number = 1;
            calls[first].call();
            calls[first].call();
            before = hrl_schedule_table_state(&tut_a);
            value = hrl_counter_value(&tut_counter);
            two_cores_number = 0;
            sut_call_to_assertion(calls[second].call, calls[second].reason);
            assert_int_equal(hrl_schedule_table_state(&tut_a), before);
            assert_int_equal(hrl_counter_value(&tut_counter), value);
        }
    }
    tut_counter.home.owner = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_are_of_one_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
