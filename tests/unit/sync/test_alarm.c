/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/alarm.h>
#include <hrl/event.h>
#include <hrl/message_queue.h>
#include <hrl/pool.h>
#include <hrl/thread.h>

/* In virtual time. The alarm under test notes each call: when, and how many expiries it stands for. */
enum { CALLS = 64 };
static struct {
    hrl_counts at;
    uint32_t expiries;
} calls[CALLS];
static unsigned call_count;
static uint64_t expiry_count;

static void note_call(void *argument, uint32_t expiries)
{
    if (call_count < CALLS) {
        calls[call_count].at = hrl_now();
        calls[call_count].expiries = expiries;
    }
    call_count++;
    expiry_count += expiries;
    if (argument != NULL) {
        sut_note(argument);
    }
}

HRL_ALARM_DEFINE_CALL(alarm, note_call, NULL);

static void define(struct hrl_alarm *which, void (*function)(void *, uint32_t), void *argument)
{
    HRL_ALARM_DEFINE_CALL(fresh, function, argument);

    *which = fresh;
}

static void set_up(struct sut_releaser releaser)
{
    sut_reset();
    releaser.timeouts = true;
    sut_add_releaser(releaser);
    define(&alarm, note_call, NULL);
    call_count = 0;
    expiry_count = 0;
}

static void set_up_one_shot(void)
{
    set_up((struct sut_releaser){.one_shot = true});
}

static void check_call(unsigned call, hrl_counts at, uint32_t expiries)
{
    assert_true(call < call_count);
    assert_int_equal(calls[call].at, at);
    assert_int_equal(calls[call].expiries, expiries);
}

static void run_thread(void (*entry)(void *argument), hrl_counts duration)
{
    sut_start("thread", 3, entry, NULL);
    (void)sut_run(duration);
}

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

static void test_a_million_periods_with_a_fraction_do_not_drift(void **state)
{
    (void)state;
    check_periods(25000000, 60, 0, 1000000);
    check_periods(32768, 1000, 0, 1000000);
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

/* Functions that start and stop alarms. */

static void stop_own(void *argument, uint32_t expiries)
{
    note_call(argument, expiries);
    if (call_count == 3) {
        assert_true(hrl_alarm_stop(&alarm));
        assert_false(hrl_alarm_stop(&alarm));
    }
}

static void start_hundreds(void *argument)
{
    (void)argument;
    hrl_alarm_start_periodic(&alarm, 1000, HRL_PERIOD_COUNTS(100), HRL_ALARM_FOREVER);
}

static void test_a_function_stops_its_own_alarm(void **state)
{
    (void)state;
    set_up_one_shot();
    define(&alarm, stop_own, NULL);
    run_thread(start_hundreds, 100000);
    assert_int_equal(call_count, 3);
    check_call(2, 1200, 1);
}

static void restart_own(void *argument, uint32_t expiries)
{
    note_call(argument, expiries);
    if (call_count == 2) {
        hrl_alarm_start_periodic(&alarm, 5000, HRL_PERIOD_COUNTS(700), 3);
    } else if (call_count == 5) {
        hrl_alarm_start(&alarm, 9000);
    } else if (call_count == 6) {
        hrl_alarm_start_periodic(&alarm, 8000, HRL_PERIOD_COUNTS(300), 5); /* the past */
        assert_int_equal(call_count, 6); /* not before this one has returned */
    }
}

static void test_a_function_starts_its_own_alarm_anew(void **state)
{
    (void)state;
    for (unsigned from_thread = 0; from_thread < 2; from_thread++) {
        set_up_one_shot();
        define(&alarm, restart_own, NULL);
        run_thread(start_hundreds, 100000);
        assert_int_equal(call_count, 8);
        check_call(1, 1100, 1);
        check_call(2, 5000, 1);
        check_call(4, 6400, 1);
        check_call(5, 9000, 1);
        check_call(6, 9000, 4);
        check_call(7, 9200, 1);
    }
}

static struct hrl_alarm others[4];

static void start_others_in_the_past(void *argument, uint32_t expiries)
{
    note_call(argument, expiries);
    hrl_alarm_start(&others[0], 0);
    hrl_alarm_start(&others[1], 1);
    hrl_alarm_start(&others[2], 2);
    hrl_alarm_start(&others[0], 3); /* keeps its place */
    assert_true(hrl_alarm_stop(&others[1]));
    hrl_alarm_start(&others[3], hrl_now() + 50);
    sut_note(".");
}

static void start_one(void *argument)
{
    hrl_thread_sleep_until(500);
    hrl_alarm_start(&alarm, argument == NULL ? 500 : 1000);
    sut_note("t");
}

static void test_functions_start_and_stop_others(void **state)
{
    (void)state;
    for (unsigned later = 0; later < 2; later++) { /* by the thread itself, or by the releaser */
        set_up_one_shot();
        define(&alarm, start_others_in_the_past, "main");
        for (unsigned i = 0; i < 4; i++) {
            static char names[4][2] = {"0", "1", "2", "3"};
            define(&others[i], note_call, names[i]);
        }
        sut_start("thread", 3, start_one, later ? &alarm : NULL);
        sut_run(100000);
        assert_string_equal(sut_notes, later ? "t main . 0 2 3 " : "main . 0 2 t 3 ");
        check_call(3, later ? 1050 : 550, 1);
    }
}

/*
 * An alarm's function runs in the call of a thread and makes more urgent threads ready: they wait until that
 * call is complete, with the store its own again.
 */
HRL_EVENT_DEFINE(awaited_event);
HRL_SEMAPHORE_DEFINE(awaited_semaphore, 0, 8);
HRL_MESSAGE_QUEUE_DEFINE(awaited_queue, sizeof(uint32_t), 1);
HRL_POOL_DEFINE(awaited_pool, 8, 1);
HRL_ALARM_DEFINE(awaited_alarm);
static struct hrl_thread *suspended_thread;
static void *only_block;

static void wait_for_event(void *argument)
{
    assert_int_equal(hrl_event_wait(&awaited_event, 1, HRL_EVENT_ANY, HRL_FOREVER, NULL), HRL_OK);
    sut_note(argument);
}

static void wait_for_semaphore(void *argument)
{
    assert_int_equal(hrl_semaphore_take(&awaited_semaphore, 100000), HRL_OK);
    sut_note(argument);
}

static void wait_for_message(void *argument)
{
    uint32_t message;

    assert_int_equal(hrl_message_receive(&awaited_queue, &message, HRL_FOREVER), HRL_OK);
    sut_note(argument);
}

static void wait_for_block(void *argument)
{
    void *block;

    assert_int_equal(hrl_pool_take(&awaited_pool, &only_block, HRL_NO_WAIT), HRL_OK);
    assert_int_equal(hrl_pool_take(&awaited_pool, &block, HRL_FOREVER), HRL_OK);
    hrl_pool_give(&awaited_pool, block);
    sut_note(argument);
}

static void wait_for_alarm(void *argument)
{
    uint32_t expiries;

    assert_int_equal(hrl_alarm_wait(&awaited_alarm, &expiries, HRL_FOREVER), HRL_OK);
    sut_note(argument);
}

static void note_resumed(void *argument)
{
    hrl_thread_suspend(suspended_thread);
    sut_note(argument);
}

static void do_all_that_an_interrupt_may(void *argument, uint32_t expiries)
{
    static const uint32_t message = 1;
    struct hrli_releaser *releaser = hrli_core.timeouts->releaser;
    bool busy = releaser->busy;
    uint32_t threshold = hrli_core.threshold;

    note_call(argument, expiries);
    hrl_event_set(&awaited_event, 1);
    assert_int_equal(hrli_core.threshold, threshold);
    assert_int_equal(releaser->busy, busy);
    assert_int_equal(hrl_semaphore_give(&awaited_semaphore), HRL_OK);
    assert_int_equal(hrl_message_send(&awaited_queue, &message, HRL_NO_WAIT), HRL_OK);
    hrl_pool_give(&awaited_pool, only_block);
    hrl_thread_resume(suspended_thread);
    hrl_alarm_start(&awaited_alarm, 0);
    assert_int_equal(hrli_core.threshold, threshold);
    assert_int_equal(releaser->busy, busy);
    sut_note(".");
}

static void start_for_now_or_later(void *later)
{
    hrl_alarm_start(&alarm, hrl_now() + (later == NULL ? 0 : 500));
    sut_note("t");
}

static void test_threads_run_behind_the_call_that_calls_a_function(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 4;
         way++) { /* a tick or not; by the thread itself, or by the releaser */
        bool later = way % 2 != 0;

        set_up((struct sut_releaser){.one_shot = way < 2, .cell_period = way < 2 ? 0 : 100});
        define(&alarm, do_all_that_an_interrupt_may, "call");
        awaited_event = (struct hrl_event)HRLI_ZERO;
        awaited_semaphore.count = 0;
        sut_start("e1", 9, wait_for_event, "event");
        sut_start("e2", 9, wait_for_event, "event");
        sut_start("s", 8, wait_for_semaphore, "semaphore");
        sut_start("m", 7, wait_for_message, "message");
        sut_start("p", 6, wait_for_block, "block");
        suspended_thread = sut_start("r", 5, note_resumed, "resumed");
        sut_start("a", 4, wait_for_alarm, "alarm");
        sut_start("thread", 3, start_for_now_or_later, later ? &alarm : NULL);
        sut_run(200000);
        assert_string_equal(sut_notes,
                            later ? "t call . event event semaphore message block resumed alarm "
                                  : "call . event event semaphore message block resumed alarm t ");
        assert_int_equal(hrli_core.threshold, 0);
    }
}

/* Together with others. */

static void start_all_at_once(void *argument)
{
    (void)argument;
    for (unsigned i = 0; i < 4; i++) {
        hrl_alarm_start_periodic(&others[i], i % 2 ? 1000 : 500, HRL_PERIOD_COUNTS(500), 3);
    }
}

static void test_alarms_of_one_instant_are_first_come_first_out(void **state)
{
    (void)state;
    set_up_one_shot();
    for (unsigned i = 0; i < 4; i++) {
        static char names[4][2] = {"0", "1", "2", "3"};
        define(&others[i], note_call, names[i]);
    }
    run_thread(start_all_at_once, 100000);
    /* At 1000 those from 500 come last: they were put there at 500. */
    assert_string_equal(sut_notes, "0 2 1 3 0 2 1 3 0 2 1 3 ");
}

static void sleep_until_1000(void *argument)
{
    if (argument != NULL) {
        hrl_alarm_start(&alarm, 1000);
    }
    hrl_thread_sleep_until(1000);
    assert_int_equal(hrl_now(), 1000);
    sut_note("thread");
    if (argument == NULL) {
        hrl_alarm_start(&alarm, 1000);
    }
}

static void test_an_alarm_and_a_sleep_of_one_instant(void **state)
{
    (void)state;
    for (unsigned before = 0; before < 2; before++) {
        set_up_one_shot();
        define(&alarm, note_call, "alarm");
        sut_start("thread", 1, sleep_until_1000, before ? &alarm : NULL);
        sut_run(10000);
        assert_string_equal(sut_notes, before ? "alarm thread " : "thread alarm ");
    }
}

/* A tick serves what is due at the first instant after it, and counts. */
static void start_under_a_tick(void *argument)
{
    (void)argument;
    hrl_alarm_start_periodic(&alarm, SUT_START_COUNTS + 100, HRL_PERIOD_COUNTS(400), 6);
    hrl_alarm_start(&others[0], SUT_START_COUNTS + 1001);
}

static void test_a_tick_counts_what_fell_into_it(void **state)
{
    (void)state;
    set_up((struct sut_releaser){.cell_period = 1000});
    define(&others[0], note_call, NULL);
    run_thread(start_under_a_tick, 10000);
    assert_int_equal(call_count, 4);
    check_call(0, SUT_START_COUNTS + 1000, 3);
    check_call(1, SUT_START_COUNTS + 2000, 1);
    check_call(2, SUT_START_COUNTS + 2000, 2);
    check_call(3, SUT_START_COUNTS + 3000, 1);
}

/* What falls due while a thread changes an alarm is served when it has. */
static hrl_counts long_time(void)
{
    return 400;
}

static void sleep_until_700(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(700);
    assert_int_equal(hrl_now(), 1000);
    sut_note("awake");
}

static void stop_slowly(void *argument)
{
    (void)argument;
    hrl_alarm_start(&alarm, 5000);
    hrl_thread_sleep_until(600);
    sut_remove_counts = long_time;
    assert_true(hrl_alarm_stop(&alarm));
    sut_remove_counts = NULL;
    sut_note("stopped");
}

static void test_a_change_leaves_no_thread_waiting(void **state)
{
    (void)state;
    set_up_one_shot();
    sut_start("sleeper", 4, sleep_until_700, NULL);
    sut_start("slow", 3, stop_slowly, NULL);
    sut_run(10000);
    assert_string_equal(sut_notes, "awake stopped ");
    assert_int_equal(call_count, 0);
}

/*
 * Alarms, sleepers and interrupts at random: whenever one is stopped, it has expired as often as instants have
 * passed, but for one that is being served, and never early.
 */
enum { RANDOM_ALARMS = 12, LATE_EXPIRIES = 25 };
#define STOPPED 0xFFFFFFFFu /* random_alarms[i].times */
static struct random campaign;
static struct {
    struct hrl_alarm alarm;
    hrl_counts first, period;
    uint32_t times;
    uint64_t expired;
    bool busy; /* it is being stopped and started */
} random_alarms[RANDOM_ALARMS];
static unsigned starts, late;

static hrl_counts some_counts(void)
{
    return random_below(&campaign, 3);
}

static uint64_t passed_by(unsigned i, hrl_counts now)
{
    uint64_t passed;

    if (now < random_alarms[i].first) {
        return 0;
    }
    passed = (now - random_alarms[i].first) * 3 / random_alarms[i].period + 1;
    while (random_alarms[i].first + passed * random_alarms[i].period / 3 <= now) {
        passed++;
    }
    return random_alarms[i].times != 0 && passed > random_alarms[i].times ? random_alarms[i].times
                                                                          : passed;
}

static void start_at_random(unsigned i)
{
    hrl_counts now = hrl_now();

    random_alarms[i].first = now + random_below(&campaign, 6000) - (now > 9000 ? 2000 : 0);
    random_alarms[i].period = random_between(&campaign, 300, 6000); /* thirds of a count */
    random_alarms[i].times = random_below(&campaign, 5);
    random_alarms[i].expired = 0;
    starts++;
    hrl_alarm_start_periodic(&random_alarms[i].alarm, random_alarms[i].first,
                             HRL_PERIOD_RATIO(random_alarms[i].period, 3), random_alarms[i].times);
}

static void check_stopped(unsigned i)
{
    hrl_counts before = hrl_now();
    uint64_t expired;

    if (random_alarms[i].times == STOPPED) {
        assert_false(hrl_alarm_stop(&random_alarms[i].alarm));
        return;
    }
    (void)hrl_alarm_stop(&random_alarms[i].alarm);
    expired = random_alarms[i].expired;
    assert_true(expired <= passed_by(i, hrl_now() + HRLP_CELL_EARLY_COUNTS));
    assert_true(expired + LATE_EXPIRIES >= passed_by(i, before)); /* late, not lost */
    random_alarms[i].times = STOPPED;
}

static void restart_at_random(void)
{
    unsigned i = random_below(&campaign, RANDOM_ALARMS);

    if (!random_alarms[i].busy) {
        random_alarms[i].busy = true;
        check_stopped(i);
        if (random_below(&campaign, 3) != 0) {
            start_at_random(i);
        }
        random_alarms[i].busy = false;
    }
}

static void expire_at_random(void *argument, uint32_t expiries)
{
    unsigned i = (unsigned)(uintptr_t)argument;

    random_alarms[i].expired += expiries;
    late += expiries > 1;
    assert_int_not_equal(random_alarms[i].times, STOPPED);
    assert_true(random_alarms[i].expired <= passed_by(i, hrl_now() + HRLP_CELL_EARLY_COUNTS));
    assert_true(random_alarms[i].expired + LATE_EXPIRIES >= passed_by(i, hrl_now()));
    if (random_below(&campaign, 8) == 0) {
        restart_at_random();
    }
    hrlp_host_consume(random_below(&campaign, 20));
}

HRL_SEMAPHORE_DEFINE(woken, 0, 1);

static void wake_a_thread(void)
{
    (void)hrl_semaphore_give(&woken);
    sut_interrupt_in(random_between(&campaign, 20, 200), wake_a_thread);
}

static void live_at_random(void *argument)
{
    if (argument != NULL) {
        sut_interrupt_in(100, wake_a_thread);
    }
    for (;;) {
        hrlp_irq_state state;

        restart_at_random();
        (void)hrl_semaphore_take(&woken, hrl_now() + random_below(&campaign, 100));
        restart_at_random();
        state = hrlp_irq_lock();
        hrlp_host_consume(random_below(&campaign, 400));
        hrlp_irq_unlock(state);
        hrl_thread_sleep_for(random_below(&campaign, 700));
    }
}

static void test_at_random(void **state)
{
    (void)state;
    starts = late = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        set_up((struct sut_releaser){.one_shot = seed % 4 != 0, .cell_period = 100});
        campaign.state = seed;
        woken = (struct hrl_semaphore){.limit = 1};
        for (unsigned i = 0; i < RANDOM_ALARMS; i++) {
            define(&random_alarms[i].alarm, expire_at_random, (void *)(uintptr_t)i);
            random_alarms[i].times = STOPPED;
            random_alarms[i].expired = 0;
            random_alarms[i].first = HRL_FOREVER;
            random_alarms[i].busy = false;
        }
        hrlp_host_setup.clock_start = seed % 2 ? ((hrl_counts)1 << 32) - 60000 : 0;
        hrlp_host_setup.port_call_counts = some_counts;
        hrlp_host_setup.limit = 300000;
        sut_insert_counts = sut_remove_counts = seed % 3 ? some_counts : NULL;
        for (unsigned i = 0; i < 4; i++) {
            sut_start("random", 1 + i % 3, live_at_random, i == 0 ? &campaign : NULL);
        }
        (void)sut_run(200000);
    }
    assert_true(starts > 10000);
    assert_true(late > 1000);
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
    sut_run_to_assertion(1000, "a periodic alarm without a period");
    set_up_one_shot();
    sut_start("wrong", 1, start_below_a_count, NULL);
    sut_run_to_assertion(1000, "a periodic alarm without a period");
    set_up_one_shot();
    sut_start("wrong", 1, start_zeros, NULL);
    sut_run_to_assertion(1000, "an alarm that is not initialised");
    set_up_one_shot();
    sut_start("wrong", 1, start_too_far, NULL);
    sut_run_to_assertion(1000, "an alarm further ahead than 2^62 counts");
    sut_reset(); /* no time-outs */
    sut_start("wrong", 1, start_once, NULL);
    sut_run_to_assertion(1000, "the system has no releaser for time-outs");
}

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
        cmocka_unit_test(test_a_function_stops_its_own_alarm),
        cmocka_unit_test(test_a_function_starts_its_own_alarm_anew),
        cmocka_unit_test(test_functions_start_and_stop_others),
        cmocka_unit_test(test_threads_run_behind_the_call_that_calls_a_function),
        cmocka_unit_test(test_alarms_of_one_instant_are_first_come_first_out),
        cmocka_unit_test(test_an_alarm_and_a_sleep_of_one_instant),
        cmocka_unit_test(test_a_tick_counts_what_fell_into_it),
        cmocka_unit_test(test_a_change_leaves_no_thread_waiting),
        cmocka_unit_test(test_at_random),
        cmocka_unit_test(test_misuse_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
