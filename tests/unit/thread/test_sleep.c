/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/thread.h>
#include <hrl/time.h>

static void with_timeouts(bool one_shot)
{
    sut_reset();
    sut_add_releaser(
        (struct sut_releaser){.one_shot = one_shot, .cell_period = 1000, .timeouts = true});
}

static hrl_counts woken[16];

static void sleep_by_thousands(void *argument)
{
    hrl_counts next = hrl_now();

    (void)argument;
    for (int i = 0; i < 10; i++) {
        next += 1000;
        hrl_thread_sleep_until(next);
        woken[i] = hrl_now() - next;
        hrlp_host_consume(70);
    }
}

static void test_sleeping_until_does_not_drift(void **state)
{
    (void)state;
    with_timeouts(true);
    sut_start("sleeper", 1, sleep_by_thousands, NULL);
    sut_run(20000);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(woken[i], 0);
    }
}

static void sleep_for_some(void *argument)
{
    hrl_counts from = hrl_now();

    (void)argument;
    hrl_thread_sleep_for(1500);
    woken[0] = hrl_now() - from;
    hrl_thread_sleep_for(0);
    hrl_thread_sleep_until(from);
    hrl_thread_sleep_until(0);
    woken[1] = hrl_now() - from;
}

static void test_what_has_passed_is_not_waited_for(void **state)
{
    (void)state;
    with_timeouts(true);
    sut_start("sleeper", 1, sleep_for_some, NULL);
    sut_run(20000);
    assert_int_equal(woken[0], 1500);
    assert_int_equal(woken[1], 1500);
}

static void sleep_for_some_in_the_end(void *argument)
{
    hrl_thread_sleep_until(SUT_START_COUNTS + 300);
    assert_int_equal(hrl_now(), SUT_START_COUNTS + 1000);
    sleep_for_some(argument);
}

/* A tick serves what is due at the first instant after it. */
static void test_a_tick_is_never_early(void **state)
{
    (void)state;
    with_timeouts(false);
    sut_start("sleeper", 1, sleep_for_some_in_the_end, NULL);
    sut_run(20000);
    assert_int_equal(woken[0], 2000);
    assert_int_equal(woken[1], 2000);
}

static void note_after(void *argument)
{
    hrl_thread_sleep_until(SUT_START_COUNTS + 1000 * (hrl_counts)((char *)argument)[0]);
    sut_note(argument);
}

static void test_sleepers_wake_in_the_order_of_their_instants(void **state)
{
    (void)state;
    with_timeouts(true);
    sut_start("1", 1, note_after, "d");
    sut_start("2", 2, note_after, "b");
    sut_start("3", 3, note_after, "c");
    sut_start("4", 1, note_after, "a");
    sut_start("5", 9, note_after, "a2");
    sut_run(200000);
    assert_string_equal(sut_notes, "a2 a b c d ");
}

/* For longer than a stamp can tell no thread sleeps, then one does. */
static void sleep_rarely(void *argument)
{
    (void)argument;
    for (int i = 0; i < 4; i++) {
        hrl_counts next = hrl_now() + 500;
        hrl_thread_sleep_until(next);
        woken[i] = hrl_now() - next;
        hrlp_host_consume((hrl_counts)3 << 30);
    }
}

static void test_a_store_that_was_empty_for_long(void **state)
{
    (void)state;
    with_timeouts(true);
    sut_start("sleeper", 1, sleep_rarely, NULL);
    sut_run((hrl_counts)20 << 30);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(woken[i], 0);
    }
}

static const hrl_counts far = ((hrl_counts)9 << 30) + 77;

static void sleep_far(void *argument)
{
    hrl_counts from = hrl_now();

    (void)argument;
    hrl_thread_sleep_for(far);
    woken[0] = hrl_now() - from;
}

static void test_beyond_the_horizon(void **state)
{
    (void)state;
    for (unsigned early = 0; early <= 2; early++) {
        with_timeouts(true);
        hrlp_host_setup.clock_start = ((hrl_counts)1 << 32) - 30000;
        hrlp_host_setup.cells_early = early;
        sut_start("sleeper", 1, sleep_far, NULL);
        sut_run((hrl_counts)20 << 30);
        assert_int_equal(woken[0], far - early);
    }
}

static void sleep_for_ever(void *argument)
{
    (void)argument;
    hrl_thread_sleep_for(HRL_FOREVER);
}

static void sleep_masked(void *argument)
{
    (void)argument;
    (void)hrlp_irq_lock();
    hrl_thread_sleep_for(10);
}

static void sleep_for_10(void)
{
    hrl_thread_sleep_for(10);
}

static void test_misuse_is_found(void **state)
{
    struct hrl_thread idle = {.name = "idle"};

    (void)state;
    with_timeouts(true);
    sut_start("wrong", 1, sleep_for_ever, NULL);
    sut_run_to_assertion(1000, "the sleep would end beyond HRL_FOREVER");
    sut_reset(); /* no time-outs */
    sut_start("wrong", 1, sleep_for_some, NULL);
    sut_run_to_assertion(1000, "the system has no releaser for time-outs");
    with_timeouts(true);
    sut_start("wrong", 1, sleep_masked, NULL);
    sut_run_to_assertion(1000, "hrl_thread_sleep_for: not with interrupts masked");
    sut_reset(); /* before hrl_start */
    sut_call_to_assertion(sleep_for_10, "hrl_thread_sleep_for: for threads, not the idle thread");
    hrli_core.running = &idle;
    sut_call_to_assertion(sleep_for_10, "hrl_thread_sleep_for: for threads, not the idle thread");
}

/* Late sleepers: what keeps them from running lasts longer than a stamp can tell. */
enum { SECOND = SUT_CLOCK_HZ };

static void sleep_300_seconds(void *argument)
{
    (void)argument;
    hrl_thread_sleep_for(300 * (hrl_counts)SECOND);
    woken[0] = hrl_now();
}

static void test_a_suspended_sleeper_wakes_at_its_instant(void **state)
{
    (void)state;
    for (unsigned one_shot = 0; one_shot <= 1; one_shot++) {
        sut_reset();
        sut_add_releaser((struct sut_releaser){
            .one_shot = one_shot, .cell_period = SECOND / 10, .timeouts = true});
        sut_start("other", 2, sut_suspend_from_1_to_181_s,
                  sut_start("sleeper", 1, sleep_300_seconds, NULL));
        sut_run(500 * (hrl_counts)SECOND);
        assert_in_range(woken[0], 300 * (hrl_counts)SECOND,
                        300 * (hrl_counts)SECOND + (one_shot ? 0 : SECOND / 10));
    }
}

static hrl_counts busy_from;

static void run_100_seconds(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(busy_from);
    hrlp_host_consume(100 * (hrl_counts)SECOND);
}

static void sleep_short(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(1000);
    hrl_thread_sleep_for(500);
    woken[0] = hrl_now();
}

static void sleep_until_short(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(1000);
    hrl_thread_sleep_until(1500);
    woken[0] = hrl_now();
}

static hrl_counts each_call_takes_one(void)
{
    return 1;
}

/* Wherever in the call the more urgent thread comes in. */
static void test_a_sleeper_that_is_starved_in_its_call(void **state)
{
    (void)state;
    for (unsigned offset = 0; offset < 60; offset++) {
        for (unsigned until = 0; until <= 1; until++) {
            with_timeouts(true);
            hrlp_host_setup.port_call_counts = each_call_takes_one;
            busy_from = 990 + offset;
            sut_start("sleeper", 1, until ? sleep_until_short : sleep_short, NULL);
            sut_start("busy", 2, run_100_seconds, NULL);
            sut_run(300 * (hrl_counts)SECOND);
            assert_in_range(woken[0], busy_from + 100 * (hrl_counts)SECOND,
                            busy_from + 100 * (hrl_counts)SECOND + 700);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sleeping_until_does_not_drift),
        cmocka_unit_test(test_what_has_passed_is_not_waited_for),
        cmocka_unit_test(test_a_tick_is_never_early),
        cmocka_unit_test(test_sleepers_wake_in_the_order_of_their_instants),
        cmocka_unit_test(test_a_store_that_was_empty_for_long),
        cmocka_unit_test(test_beyond_the_horizon),
        cmocka_unit_test(test_a_suspended_sleeper_wakes_at_its_instant),
        cmocka_unit_test(test_a_sleeper_that_is_starved_in_its_call),
        cmocka_unit_test(test_misuse_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
