/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "no_timeouts.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/alarm.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>

/*
 * As a build without checks has it, whose checks find no NULL: the object itself stops. (Here they
 * are compiled in, and it passes them.) On a board: tests/system/test_no_timeouts.py.
 */
static void as_generated(void)
{
    hrli_core.timeouts = &hrli_no_timeouts;
}

static void sleep_for_some(void *argument)
{
    (void)argument;
    as_generated();
    hrl_thread_sleep_for(100);
}

static void sleep_until_some(void *argument)
{
    (void)argument;
    as_generated();
    hrl_thread_sleep_until(hrl_now() + 100);
}

HRL_SEMAPHORE_DEFINE(empty, 0, 1);

static void take_until(void *argument)
{
    (void)argument;
    as_generated();
    hrl_semaphore_take(&empty, hrl_now() + 100);
}

static void nothing(void *argument, uint32_t expiries)
{
    (void)argument;
    (void)expiries;
}

HRL_ALARM_DEFINE_CALL(alarm, nothing, NULL);

static void start_an_alarm(void *argument)
{
    (void)argument;
    as_generated();
    hrl_alarm_start(&alarm, hrl_now() + 100);
}

static void test_what_needs_time_outs_stops(void **state)
{
    void (*const calls[])(void *) = {sleep_for_some, sleep_until_some, take_until, start_an_alarm};

    (void)state;
    for (unsigned i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        sut_reset();
        sut_start("asks", 1, calls[i], NULL);
        sut_run_to_assertion(1000, HRLI_NO_TIMEOUTS_REASON);
    }
}

HRL_SEMAPHORE_DEFINE(full, 1, 1);
static bool taken;

static void wait_without_an_instant(void *argument)
{
    (void)argument;
    as_generated();
    taken = hrl_semaphore_take(&full, HRL_FOREVER) == HRL_OK &&
            hrl_semaphore_take(&full, HRL_NO_WAIT) == HRL_WOULD_WAIT;
}

static void test_what_does_not_goes_on(void **state)
{
    (void)state;
    sut_reset();
    sut_start("asks", 1, wait_without_an_instant, NULL);
    sut_run(1000);
    assert_true(taken);
}

static void remove_nothing(void)
{
    hrli_no_timeouts.remove(NULL);
}

static void test_nothing_is_ever_in_it(void **state)
{
    (void)state;
    sut_reset();
    sut_call_to_assertion(remove_nothing, HRLI_NO_TIMEOUTS_REASON);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_needs_time_outs_stops),
        cmocka_unit_test(test_what_does_not_goes_on),
        cmocka_unit_test(test_nothing_is_ever_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
