/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "alarm_under_test.h"
#include <hrl/event.h>
#include <hrl/message_queue.h>
#include <hrl/pool.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_function_stops_its_own_alarm),
        cmocka_unit_test(test_a_function_starts_its_own_alarm_anew),
        cmocka_unit_test(test_functions_start_and_stop_others),
        cmocka_unit_test(test_threads_run_behind_the_call_that_calls_a_function),
        cmocka_unit_test(test_alarms_of_one_instant_are_first_come_first_out),
        cmocka_unit_test(test_an_alarm_and_a_sleep_of_one_instant),
        cmocka_unit_test(test_a_tick_counts_what_fell_into_it),
        cmocka_unit_test(test_a_change_leaves_no_thread_waiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
