/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "alarm_under_test.h"
#include "hrlp_cores.h"

/* Starts and ends. */

static void start_once(void *argument)
{
    (void)argument;
    assert_int_equal(hrl_alarm_next(&alarm), HRL_FOREVER);
    hrl_alarm_start(&alarm, 5000);
    assert_int_equal(hrl_alarm_next(&alarm), 5000);
    assert_int_equal(call_count, 0);
    hrl_thread_sleep_until(6000);
    assert_int_equal(hrl_alarm_next(&alarm), HRL_FOREVER);
    assert_false(hrl_alarm_stop(&alarm));
    hrl_alarm_start(&alarm, 7000);
}

static void test_it_expires_once(void **state)
{
    (void)state;
    set_up_one_shot();
    run_thread(start_once, 100000);
    assert_int_equal(call_count, 2);
    check_call(0, 5000, 1);
    check_call(1, 7000, 1);
}

static void start_thrice(void *argument)
{
    (void)argument;
    hrl_alarm_start_periodic(&alarm, 1000, HRL_PERIOD_COUNTS(300), 3);
    hrl_thread_sleep_until(1301);
    assert_int_equal(hrl_alarm_next(&alarm), 1600);
}

static void test_it_expires_so_many_times(void **state)
{
    (void)state;
    set_up_one_shot();
    run_thread(start_thrice, 100000);
    assert_int_equal(call_count, 3);
    check_call(0, 1000, 1);
    check_call(1, 1300, 1);
    check_call(2, 1600, 1);
}

static void stop_and_start(void *argument)
{
    (void)argument;
    hrl_alarm_start_periodic(&alarm, 1000, HRL_PERIOD_COUNTS(300), HRL_ALARM_FOREVER);
    hrl_thread_sleep_until(1400);
    assert_true(hrl_alarm_stop(&alarm));
    assert_false(hrl_alarm_stop(&alarm));
    hrl_thread_sleep_until(3000);
    assert_int_equal(call_count, 2);
    hrl_alarm_start_periodic(&alarm, 4000, HRL_PERIOD_COUNTS(500), HRL_ALARM_FOREVER);
    hrl_thread_sleep_until(4001);
    hrl_alarm_start_periodic(&alarm, 4700, HRL_PERIOD_COUNTS(100), 2); /* anew, while it runs */
    hrl_alarm_start_periodic(&alarm, 4600, HRL_PERIOD_COUNTS(100), 2); /* earlier */
}

static void test_stop_and_start_anew(void **state)
{
    (void)state;
    set_up_one_shot();
    run_thread(stop_and_start, 100000);
    assert_int_equal(call_count, 5);
    check_call(1, 1300, 1);
    check_call(2, 4000, 1);
    check_call(3, 4600, 1);
    check_call(4, 4700, 1);
}

/* No drift. */

static uint64_t numerator;
static uint32_t denominator;
static hrl_counts first;

static hrl_counts instant(uint64_t k)
{
    return first + (hrl_counts)((unsigned __int128)numerator * k / denominator);
}

static void check_instant(void *argument, uint32_t expiries)
{
    (void)argument;
    assert_int_equal(expiries, 1);
    assert_int_equal(hrl_now(), instant(call_count));
    call_count++;
}

static void start_periodic(void *argument)
{
    (void)argument;
    hrlp_host_setup.observe = NULL; /* the interrupts are not recorded */
    hrl_alarm_start_periodic(&alarm, first, HRL_PERIOD_RATIO(numerator, denominator),
                             HRL_ALARM_FOREVER);
}

static void check_periods(uint64_t n, uint32_t d, hrl_counts start, uint64_t periods)
{
    set_up_one_shot();
    define(&alarm, check_instant, NULL);
    numerator = n;
    denominator = d;
    hrlp_host_setup.clock_start = start;
    first = start + 700;
    run_thread(start_periodic, instant(periods) + 1 - start - SUT_START_COUNTS);
    assert_int_equal(call_count, periods + 1);
}

#ifndef PERIODS /* test_whole_alarm.c has fewer */
#define PERIODS 1000000
#endif

static void test_a_million_periods_with_a_fraction_do_not_drift(void **state)
{
    (void)state;
    check_periods(25000000, 60, 0, PERIODS);
    check_periods(32768, 1000, 0, PERIODS);
}

static void test_the_wrap_of_the_stamps_is_nothing_special(void **state)
{
    (void)state;
    check_periods(1000, 3, ((hrl_counts)1 << 32) - 30000, 300);
    check_periods(25000, 1, ((hrl_counts)1 << 32) - 700, 300);
}

static void test_periods_beyond_the_horizon(void **state)
{
    (void)state;
    check_periods(((uint64_t)7 << 30) + 5, 2, 0, 20);
    check_periods(((uint64_t)1 << 30) * 3 + 1, 3, 12345, 20);
    check_periods(((uint64_t)40 << 30) + 11, 1, 0, 20);
    check_periods((uint64_t)2 << 30, 1, 0, 20);
}

static void start_far(void *argument)
{
    (void)argument;
    hrlp_host_setup.observe = NULL; /* the interrupts are not recorded */
    hrl_alarm_start(&alarm, ((hrl_counts)9 << 30) + 77);
    for (unsigned i = 0; i < 9; i++) {
        assert_int_equal(hrl_alarm_next(&alarm), ((hrl_counts)9 << 30) + 77);
        hrl_thread_sleep_for((hrl_counts)1 << 30);
    }
}

static void test_an_instant_beyond_the_horizon(void **state)
{
    static const uint32_t spans[] = {0, 1u << 15, 1u << 23};

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        set_up((struct sut_releaser){.one_shot = true, .span = spans[i]});
        run_thread(start_far, (hrl_counts)10 << 30);
        assert_int_equal(call_count, 1);
        check_call(0, ((hrl_counts)9 << 30) + 77, 1);
    }
}

/* The cell is narrow, and the store was empty for most of a wrap. */
static void start_after_long(void *argument)
{
    hrl_counts instant;

    (void)argument;
    hrlp_host_setup.observe = NULL;
    hrl_alarm_start(&alarm, 5000);
    hrl_thread_sleep_until(6000);
    hrlp_host_consume((hrl_counts)3 << 30);
    instant = hrl_now() + 100000000;
    hrl_alarm_start(&alarm, instant);
    hrl_thread_sleep_until(instant + 10);
    check_call(1, instant, 1);
    sut_note("end");
}

static void test_a_store_that_was_empty_for_long(void **state)
{
    (void)state;
    set_up((struct sut_releaser){.one_shot = true, .span = 1u << 23});
    run_thread(start_after_long, (hrl_counts)4 << 30);
    assert_string_equal(sut_notes, "end ");
}

/* Late, and in the past. */

static void be_late(void *argument)
{
    hrlp_irq_state state;

    (void)argument;
    hrl_alarm_start_periodic(&alarm, 1000, HRL_PERIOD_RATIO(1000, 3), HRL_ALARM_FOREVER);
    hrl_thread_sleep_until(1100);
    state = hrlp_irq_lock();
    hrlp_host_consume(1001); /* over 1333, 1666, 2000 */
    hrlp_irq_unlock(state);
    assert_int_equal(call_count, 2);
    check_call(1, 2101, 3);
    hrl_thread_sleep_until(2400);
    check_call(2, 2333, 1);
    assert_true(hrl_alarm_stop(&alarm));
    hrl_alarm_start_periodic(&alarm, 3000, HRL_PERIOD_COUNTS(10), 30);
    state = hrlp_irq_lock();
    hrlp_host_consume(700);
    hrlp_irq_unlock(state);
    assert_int_equal(call_count, 4);
    check_call(3, 3100, 11);
    hrl_thread_sleep_until(3150);
    state = hrlp_irq_lock();
    hrlp_host_consume(5000);
    hrlp_irq_unlock(state);
    assert_false(hrl_alarm_stop(&alarm));
}

static void test_late_expiries_are_counted_in_one_call(void **state)
{
    (void)state;
    set_up_one_shot();
    run_thread(be_late, 100000);
    assert_int_equal(expiry_count, 1 + 3 + 1 + 30);
    assert_int_equal(call_count, 3 + 1 + 5 + 1);
}

static void be_late_by_hops(void *argument)
{
    hrl_counts period = ((hrl_counts)1 << 30) + 4321;
    hrlp_irq_state state;

    (void)argument;
    hrl_alarm_start_periodic(&alarm, 1000, HRL_PERIOD_COUNTS(period), HRL_ALARM_FOREVER);
    hrl_thread_sleep_until(900);
    state = hrlp_irq_lock();
    hrlp_host_consume(period + 500);
    hrlp_irq_unlock(state);
    assert_int_equal(expiry_count, 2);
    hrl_thread_sleep_until(1000 + 2 * period + 1);
    check_call(call_count - 1, 1000 + 2 * period, 1);
    hrl_thread_sleep_until(1000 + 3 * period + 1);
    check_call(call_count - 1, 1000 + 3 * period, 1);
}

static void test_late_with_a_long_period(void **state)
{
    (void)state;
    set_up_one_shot();
    run_thread(be_late_by_hops, (hrl_counts)8 << 30);
    assert_int_equal(expiry_count, 8);
}

static const hrl_counts long_after = ((hrl_counts)1000 << 32) + 12345;

static void start_in_the_past(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(long_after);
    hrl_alarm_start(&alarm, 7); /* once, at once */
    assert_int_equal(call_count, 1);
    check_call(0, long_after, 1);
    assert_int_equal(hrl_alarm_next(&alarm), HRL_FOREVER);
    hrl_alarm_start_periodic(&alarm, 0, HRL_PERIOD_RATIO(1000, 3), HRL_ALARM_FOREVER);
    assert_int_equal(call_count, 2);
    check_call(1, long_after, UINT32_MAX); /* as many as can be told */
    numerator = 1000;
    denominator = 3;
    first = 0;
    assert_int_equal(hrl_alarm_next(&alarm), instant(long_after * 3 / 1000 + 1));
    hrl_alarm_start_periodic(&alarm, long_after - 100, HRL_PERIOD_COUNTS(10), 11);
    check_call(2, long_after, 11);
    assert_int_equal(hrl_alarm_next(&alarm), HRL_FOREVER);
    hrl_alarm_start_periodic(&alarm, long_after - 100, HRL_PERIOD_COUNTS(10), 12);
    check_call(3, long_after, 11);
    assert_int_equal(hrl_alarm_next(&alarm), long_after + 10);
    hrl_alarm_start_periodic(&alarm, long_after, HRL_PERIOD_COUNTS(1000), 2);
    check_call(4, long_after, 1);
    assert_int_equal(hrl_alarm_next(&alarm), long_after + 1000);
}

static void test_a_start_in_the_past_is_late(void **state)
{
    (void)state;
    set_up_one_shot();
    run_thread(start_in_the_past, long_after + 100000);
    assert_int_equal(call_count, 6);
    check_call(5, long_after + 1000, 1);
}

/* Misuse. */

static void start_in_interrupt(void)
{
    hrl_alarm_start(&alarm, 0);
}

static void interrupt_soon(void *argument)
{
    (void)argument;
    sut_interrupt_in(50, start_in_interrupt);
    hrlp_host_consume(100);
}

static void start_without_a_period(void *argument)
{
    (void)argument;
    hrl_alarm_start_periodic(&alarm, 0, (hrl_period){0}, 2);
}

static void start_below_a_count(void *argument)
{
    (void)argument;
    hrl_alarm_start_periodic(&alarm, 0, HRL_PERIOD_RATIO(2, 3), HRL_ALARM_FOREVER);
}

static void start_too_far(void *argument)
{
    (void)argument;
    hrl_alarm_start(&alarm, HRL_FOREVER);
}

static struct hrl_alarm zeros;

static void start_zeros(void *argument)
{
    (void)argument;
    hrl_alarm_start(&zeros, 1);
}

static void test_misuse_is_found(void **state)
{
    (void)state;
    set_up_one_shot();
    sut_start("wrong", 1, interrupt_soon, NULL);
    sut_run_to_assertion(1000, "hrl_alarm_start: for threads, and what alarms call");
    set_up_one_shot();
    sut_start("wrong", 1, start_without_a_period, NULL);
    sut_run_to_assertion(1000, "hrl_alarm_start_periodic: the period is shorter than a count");
    set_up_one_shot();
    sut_start("wrong", 1, start_below_a_count, NULL);
    sut_run_to_assertion(1000, "hrl_alarm_start_periodic: the period is shorter than a count");
    set_up_one_shot();
    sut_start("wrong", 1, start_zeros, NULL);
    sut_run_to_assertion(1000, "an alarm that is not initialised");
    set_up_one_shot();
    sut_start("wrong", 1, start_too_far, NULL);
    sut_run_to_assertion(1000, "the alarm is more than 2^62 counts ahead");
    sut_reset(); /* no time-outs */
    sut_start("wrong", 1, start_once, NULL);
    sut_run_to_assertion(1000, "the system has no releaser for time-outs");
}

#if HRL_CORES > 1 /* as there is another core only then */
static void ask_on_another_core(void *argument)
{
    (void)argument;
    (hrl_alarm_start)(
        &alarm, 5000); /* itself: processors of 8 bits, which start whole alarms, have one core */
    two_cores_number = 1;
    (void)hrl_alarm_next(&alarm);
}

static void test_its_own_core_says_when_an_alarm_expires(void **state)
{
    (void)state;
    set_up_one_shot();
    sut_start("wrong", 1, ask_on_another_core, NULL);
    sut_run_to_assertion(1000, "hrl_alarm_next: an alarm of another core");
    two_cores_number = 0;
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_expires_once),
        cmocka_unit_test(test_it_expires_so_many_times),
        cmocka_unit_test(test_stop_and_start_anew),
        cmocka_unit_test(test_a_million_periods_with_a_fraction_do_not_drift),
        cmocka_unit_test(test_the_wrap_of_the_stamps_is_nothing_special),
        cmocka_unit_test(test_periods_beyond_the_horizon),
        cmocka_unit_test(test_an_instant_beyond_the_horizon),
        cmocka_unit_test(test_a_store_that_was_empty_for_long),
        cmocka_unit_test(test_late_expiries_are_counted_in_one_call),
        cmocka_unit_test(test_late_with_a_long_period),
        cmocka_unit_test(test_a_start_in_the_past_is_late),
        cmocka_unit_test(test_misuse_is_found),
#if HRL_CORES > 1 /* as above */
        cmocka_unit_test(test_its_own_core_says_when_an_alarm_expires),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
