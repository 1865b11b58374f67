/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/alarm.h>
#include <hrl/thread.h>
#include <stdio.h>

/* What alarms do: give a semaphore, let a thread go on. Calls of functions are all over test_alarm.c. */
HRL_SEMAPHORE_DEFINE(semaphore, 0, 3);
HRL_ALARM_DEFINE_GIVE(giver, semaphore);
HRL_ALARM_DEFINE(pulse);

static void no_function(void *argument, uint32_t expiries)
{
    (void)argument;
    (void)expiries;
}

HRL_ALARM_DEFINE_CALL(caller, no_function, NULL);

static void set_up(void)
{
    static struct hrl_alarm giver_as_defined, pulse_as_defined;

    if (giver_as_defined.act == NULL) {
        giver_as_defined = giver;
        pulse_as_defined = pulse;
    }
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    giver = giver_as_defined;
    pulse = pulse_as_defined;
    semaphore = (struct hrl_semaphore){.limit = 3};
}

static void pass_masked(hrl_counts counts)
{
    hrlp_irq_state state = hrlp_irq_lock();

    hrlp_host_consume(counts);
    hrlp_irq_unlock(state);
}

static void take_tokens(void *argument)
{
    (void)argument;
    hrl_alarm_start_periodic(&giver, 1000, HRL_PERIOD_COUNTS(100), HRL_ALARM_FOREVER);
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(hrl_semaphore_take(&semaphore, HRL_FOREVER), HRL_OK);
        assert_int_equal(hrl_now(), 1000 + 100 * i);
    }
    pass_masked(250); /* late by one */
    assert_int_equal(hrl_semaphore_count(&semaphore), 2);
    pass_masked(1000);
    assert_int_equal(hrl_semaphore_count(&semaphore), 3); /* there is no room for more */
    sut_note("end");
}

static void test_it_gives_a_token_for_each_expiry(void **state)
{
    (void)state;
    set_up();
    sut_start("taker", 3, take_tokens, NULL);
    sut_run(100000);
    assert_string_equal(sut_notes, "end ");
}

static void take_one(void *argument)
{
    assert_int_equal(hrl_semaphore_take(&semaphore, HRL_FOREVER), HRL_OK);
    sut_note(argument);
}

static void be_late_for_three(void *argument)
{
    (void)argument;
    hrl_alarm_start_periodic(&giver, 1000, HRL_PERIOD_COUNTS(100), HRL_ALARM_FOREVER);
    pass_masked(1250);
    assert_true(hrl_alarm_stop(&giver));
}

static void test_a_late_one_wakes_several(void **state)
{
    (void)state;
    set_up();
    sut_start("a", 4, take_one, "a");
    sut_start("b", 5, take_one, "b");
    sut_start("late", 3, be_late_for_three, NULL);
    sut_run(100000);
    assert_string_equal(sut_notes, "b a ");
    assert_int_equal(hrl_semaphore_count(&semaphore), 1);
}

static hrl_counts each_call_takes_one(void)
{
    return 1;
}

/* Started so late that it has expired 100,000 times: as many tokens, in a few steps. */
static void start_in_the_past(void *argument)
{
    hrl_counts from;

    (void)argument;
    hrlp_host_consume(100000 * 2500 - 1);
    from = hrl_now();
    hrl_alarm_start_periodic(&giver, 0, HRL_PERIOD_COUNTS(2500), HRL_ALARM_FOREVER);
    assert_true(hrl_now() - from < 200);
    assert_true(hrl_alarm_stop(&giver));
}

static void test_a_very_late_one_gives_all_at_once(void **state)
{
    (void)state;
    for (unsigned limit = 3; limit < 10000000; limit += 5000000) {
        set_up();
        semaphore.limit = limit;
        hrlp_host_setup.port_call_counts = each_call_takes_one;
        sut_start("a", 4, take_one, "a");
        sut_start("b", 5, take_one, "b");
        sut_start("late", 3, start_in_the_past, NULL);
        sut_run(300000000);
        assert_string_equal(sut_notes, "b a ");
        assert_in_range(hrl_semaphore_count(&semaphore), limit == 3 ? 3 : 99998,
                        limit == 3 ? 3 : 99999);
    }
}

static void wait_for_pulses(void *argument)
{
    uint32_t expiries;

    (void)argument;
    assert_int_equal(hrl_alarm_wait(&pulse, &expiries, HRL_NO_WAIT), HRL_WOULD_WAIT);
    assert_int_equal(expiries, 0);
    hrl_alarm_start_periodic(&pulse, 1000, HRL_PERIOD_COUNTS(100), HRL_ALARM_FOREVER);
    assert_int_equal(hrl_alarm_wait(&pulse, &expiries, 990), HRL_TIMED_OUT);
    assert_int_equal(expiries, 0);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(hrl_alarm_wait(&pulse, &expiries, HRL_FOREVER), HRL_OK);
        assert_int_equal(expiries, 1);
        assert_int_equal(hrl_now(), 1000 + 100 * i);
    }
    hrlp_host_consume(350); /* a job that takes too long */
    assert_int_equal(hrl_alarm_wait(&pulse, &expiries, HRL_FOREVER), HRL_OK);
    assert_int_equal(expiries, 3);
    assert_int_equal(hrl_now(), 1550);
    assert_int_equal(hrl_alarm_wait(&pulse, &expiries, 5000), HRL_OK);
    assert_int_equal(expiries, 1);
    assert_int_equal(hrl_now(), 1600);
    pass_masked(310); /* the releaser itself comes late */
    assert_int_equal(hrl_alarm_wait(&pulse, &expiries, HRL_NO_WAIT), HRL_OK);
    assert_int_equal(expiries, 3);
    hrlp_host_consume(100);
    hrl_alarm_start(&pulse, 9000); /* forgets expiries that no thread waited for */
    assert_int_equal(hrl_alarm_wait(&pulse, &expiries, 3000), HRL_TIMED_OUT);
    assert_int_equal(hrl_alarm_wait(&pulse, &expiries, HRL_FOREVER), HRL_OK);
    assert_int_equal(hrl_now(), 9000);
    sut_note("end");
}

static void test_a_thread_waits_for_it(void **state)
{
    (void)state;
    set_up();
    sut_start("waiter", 3, wait_for_pulses, NULL);
    sut_run(100000);
    assert_string_equal(sut_notes, "end ");
}

/* What expires between the release of a thread and its running is for the next wait. */
static void wait_twice(void *argument)
{
    uint32_t expiries;
    char text[40];

    (void)argument;
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(hrl_alarm_wait(&pulse, &expiries, HRL_FOREVER), HRL_OK);
        (void)snprintf(text, sizeof text, "%u@%u", expiries, (unsigned)hrl_now());
        sut_note(text);
    }
}

static void keep_busy(void *argument)
{
    (void)argument;
    hrl_alarm_start_periodic(&pulse, 1000, HRL_PERIOD_COUNTS(100), HRL_ALARM_FOREVER);
    hrl_thread_sleep_until(500); /* now the other waits */
    hrlp_host_consume(750);
}

static void test_nothing_is_lost_on_the_way(void **state)
{
    (void)state;
    set_up();
    sut_start("waiter", 3, wait_twice, NULL);
    sut_start("busy", 4, keep_busy, NULL);
    sut_run(2000);
    assert_string_equal(sut_notes, "1@1250 2@1250 ");
}

static void wait_once(void *argument)
{
    uint32_t expiries;

    assert_int_equal(hrl_alarm_wait(&pulse, &expiries, HRL_FOREVER), HRL_OK);
    assert_int_equal(expiries, 1);
    sut_note(argument);
}

static void start_two(void *argument)
{
    (void)argument;
    hrl_alarm_start_periodic(&pulse, 1000, HRL_PERIOD_COUNTS(100), 2);
}

static void test_an_expiry_is_for_one_thread(void **state)
{
    (void)state;
    set_up();
    sut_start("a", 2, wait_once, "a");
    sut_start("b", 4, wait_once, "b");
    sut_start("c", 2, wait_once, "c");
    sut_start("starter", 1, start_two, NULL);
    sut_run(100000);
    assert_string_equal(sut_notes, "b a ");
}

static void wait_for_a_caller(void *argument)
{
    uint32_t expiries;

    (void)argument;
    (void)hrl_alarm_wait(&caller, &expiries, HRL_FOREVER);
}

static void test_misuse_is_found(void **state)
{
    (void)state;
    set_up();
    sut_start("wrong", 1, wait_for_a_caller, NULL);
    sut_run_to_assertion(1000, "hrl_alarm_wait: the alarm is not defined for waiting");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_gives_a_token_for_each_expiry),
        cmocka_unit_test(test_a_late_one_wakes_several),
        cmocka_unit_test(test_a_very_late_one_gives_all_at_once),
        cmocka_unit_test(test_a_thread_waits_for_it),
        cmocka_unit_test(test_nothing_is_lost_on_the_way),
        cmocka_unit_test(test_an_expiry_is_for_one_thread),
        cmocka_unit_test(test_misuse_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
