/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cores.h"
#include "hrlp_upcalls.h"
#include "random.h"
#include "system_under_test.h"
#include "wait.h"
#include "with_cmocka.h"
#include <hrl/thread.h>
#include <hrl/time.h>

/*
 * Waiting in a queue and for an instant, with the smallest object that there can be: the first thread
 * in the queue is woken. What is hard here are the races.
 */
static struct hrli_wait_queue queue;
static enum hrl_status given;
static hrl_counts returned_at;

static void set_up(bool one_shot)
{
    sut_reset();
    sut_add_releaser(
        (struct sut_releaser){.one_shot = one_shot, .cell_period = 100, .timeouts = true});
    queue.first = NULL;
    given = HRL_FULL; /* nothing */
}

static void give(void)
{
    hrlp_irq_state state = hrli_sync_lock();
    struct hrl_thread *thread = queue.first;

    if (thread != NULL) {
        hrli_wake(hrli_wait_queue_pop(&queue), HRL_OK);
    }
    hrli_sync_unlock(state);
    if (thread != NULL) {
        hrli_dispatch_woken(thread);
    }
}

static enum hrl_status wait(hrl_counts until)
{
    return hrli_wait(&queue, until, hrli_sync_lock());
}

static void wait_until(void *argument)
{
    given = wait(*(hrl_counts *)argument);
    returned_at = hrl_now();
    sut_note(given == HRL_OK ? "ok" : given == HRL_TIMED_OUT ? "timed-out" : "other");
}

static bool nothing_is_left(void)
{
    return queue.first == NULL && sut_releaser_of(0)->busy == false && hrli_core.threshold == 0 &&
           hrli_core.ready.occupied[0] == 1;
}

static void test_not_at_all(void **state)
{
    hrl_counts until = HRL_NO_WAIT;

    (void)state;
    set_up(true);
    sut_start("waiter", 1, wait_until, &until);
    sut_run(1000);
    assert_int_equal(given, HRL_WOULD_WAIT);
    assert_true(nothing_is_left());
}

static void test_until_an_instant_and_no_longer(void **state)
{
    hrl_counts until = 700;

    (void)state;
    for (int one_shot = 0; one_shot < 2; one_shot++) {
        set_up(one_shot);
        sut_start("waiter", 1, wait_until, &until);
        sut_run(100000);
        assert_int_equal(given, HRL_TIMED_OUT);
        assert_int_equal(returned_at, one_shot ? 700 : SUT_START_COUNTS);
        assert_true(nothing_is_left());
    }
}

static hrl_counts give_at;

static void give_then(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(give_at);
    give();
}

static void test_what_comes_first_counts(void **state)
{
    hrl_counts until = 700;

    (void)state;
    for (give_at = 690; give_at < 710; give_at++) {
        set_up(true);
        sut_start("waiter", 1, wait_until, &until);
        sut_start("giver", 2, give_then, NULL);
        sut_run(100000);
        /* Instants that near are served together, and the giver is more urgent. */
        assert_int_equal(given, give_at <= 700 + HRLP_CELL_EARLY_COUNTS ? HRL_OK : HRL_TIMED_OUT);
        assert_int_equal(returned_at, give_at < 700 ? give_at : 700);
        assert_true(nothing_is_left());
    }
}

/* The time is over, but the thread has not been told yet: what is given then is not lost. */
static void give_late(void *argument)
{
    (void)argument;
    hrlp_host_consume(1000);
    sut_note("give");
    give();
}

static void test_a_gift_between_expiry_and_its_notice_is_taken(void **state)
{
    hrl_counts until = 700;

    (void)state;
    set_up(true);
    sut_start("waiter", 2, wait_until, &until);
    sut_start("giver", 2, give_late, NULL);
    sut_run(100000);
    assert_string_equal(sut_notes, "give ok ");
    assert_true(nothing_is_left());
}

static void give_in_interrupt(void)
{
    sut_note("give");
    give();
}

/* The interrupt comes while the node is being put into the store, or just taken out. */
static hrl_counts give_during_insertion(void)
{
    sut_interrupt_in(5, give_in_interrupt);
    return 20;
}

static void test_given_while_the_time_out_is_put_in(void **state)
{
    hrl_counts until = 700;

    (void)state;
    set_up(true);
    sut_insert_counts = give_during_insertion;
    sut_start("waiter", 1, wait_until, &until);
    sut_run(100000);
    assert_string_equal(sut_notes, "give ok ");
    assert_true(returned_at < 100);
    assert_int_equal(sut_count('I', 0), 1); /* the cell stayed armed, and finds no waiter */
    assert_true(nothing_is_left());
}

static hrl_counts insertion_of_2000(void)
{
    return 2000;
}

static void test_the_instant_passes_while_it_is_put_in(void **state)
{
    hrl_counts until = 700;

    (void)state;
    set_up(true);
    sut_insert_counts = insertion_of_2000;
    sut_start("waiter", 1, wait_until, &until);
    sut_run(100000);
    assert_int_equal(given, HRL_TIMED_OUT);
    assert_int_equal(returned_at, 2000);
    assert_true(nothing_is_left());
}

static hrl_counts times[2];

static void wait_twice(void *argument)
{
    (void)argument;
    assert_int_equal(wait(hrl_now() + 1000), HRL_OK);
    times[0] = hrl_now();
    assert_int_equal(wait(times[0] + 5000), HRL_TIMED_OUT);
    times[1] = hrl_now();
}

/* The cell stays armed for a waiter that is gone; that interrupt finds none, and the next one is in time. */
static void test_a_withdrawn_time_out_wakes_no_thread(void **state)
{
    (void)state;
    set_up(true);
    sut_start("waiter", 1, wait_twice, NULL);
    sut_start("giver", 2, give_then, NULL);
    give_at = 300;
    sut_run(100000);
    assert_int_equal(times[0], 300);
    assert_int_equal(times[1], 5300);
    assert_true(nothing_is_left());
}

/* Taking the node out takes from 300 to 350; meanwhile a more urgent thread is resumed, which sleeps. */
static struct hrl_thread *sleeper;

static void resume_sleeper(void)
{
    hrl_thread_resume(sleeper);
}

static hrl_counts fifty_with_a_resumption(void)
{
    sut_interrupt_in(20, resume_sleeper);
    return 50;
}

static void sleep_when_resumed(void *argument)
{
    (void)argument;
    hrl_thread_suspend(sleeper);
    assert_int_equal(hrl_now(), 350);
    sut_note("resumed");
    hrl_thread_sleep_for(100);
}

static void test_a_store_has_one_user_at_a_time(void **state)
{
    hrl_counts until = 310; /* falls in that time, too */

    (void)state;
    set_up(true);
    sut_remove_counts = fifty_with_a_resumption;
    sut_start("waiter", 2, wait_until, &until);
    sut_start("giver", 3, give_then, NULL);
    sleeper = sut_start("sleeper", 9, sleep_when_resumed, NULL);
    give_at = 300;
    sut_run(100000);
    assert_string_equal(sut_notes, "resumed ok ");
    assert_true(nothing_is_left());
}

/* A time-out of one thread is withdrawn from 300 to 350; meanwhile another thread is due at 320. */
static hrl_counts fifty(void)
{
    return 50;
}

static hrl_counts woken_at;

static void sleep_to_320(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(320);
    woken_at = hrl_now();
}

static void test_a_sleeper_that_is_due_during_a_withdrawal_wakes_behind_it(void **state)
{
    hrl_counts until = 5000;

    (void)state;
    set_up(true);
    woken_at = 0;
    give_at = 300;
    sut_start("sleeper", 9, sleep_to_320, NULL);
    sut_start("waiter", 2, wait_until, &until);
    sut_start("giver", 3, give_then, NULL);
    sut_remove_counts = fifty;
    sut_run(4000);
    assert_int_equal(woken_at, 350);
    assert_string_equal(sut_notes, "ok ");
}

static void test_a_hop_keeps_the_place_in_the_queue(void **state)
{
    hrl_counts far = (hrl_counts)5 << 30, for_ever = HRL_FOREVER;

    (void)state;
    set_up(true);
    give_at = (hrl_counts)3 << 30;
    sut_start("first", 2, wait_until, &far);
    sut_start("second", 2, wait_until, &for_ever);
    sut_start("giver", 1, give_then, NULL);
    sut_run((hrl_counts)9 << 30);
    assert_string_equal(sut_notes, "ok ");
    assert_int_equal(returned_at, give_at);
    assert_ptr_not_equal(queue.first, NULL);
}

/*
 * Threads of random levels wait for random times while interrupts and threads give, and time passes in
 * every call of the port, so that an interrupt may fall between any two steps of the kernel.
 */
enum { CAMPAIGN_THREADS = 12 };
static struct random campaign;
static unsigned gifts, received, timed_out;

static hrl_counts some_counts(void)
{
    return random_below(&campaign, 3);
}

static void give_at_random(void)
{
    hrlp_irq_state state = hrli_sync_lock();
    gifts += queue.first != NULL;
    hrli_sync_unlock(state);
    give();
    sut_interrupt_in(random_between(&campaign, 60, 900), give_at_random);
}

static void wait_at_random(void *argument)
{
    (void)argument;
    for (;;) {
        uint32_t kind = random_below(&campaign, 8);
        hrl_counts until = kind == 0   ? HRL_FOREVER
                           : kind == 1 ? HRL_NO_WAIT
                                       : hrl_now() + random_below(&campaign, 1500);
        enum hrl_status status = wait(until);

        if (status == HRL_OK) {
            received++;
        } else if (status == HRL_TIMED_OUT) {
            timed_out++;
            assert_true(hrl_now() + HRLP_CELL_EARLY_COUNTS >= until);
        } else {
            assert_int_equal(status, HRL_WOULD_WAIT);
            hrl_thread_sleep_for(random_below(&campaign, 300));
        }
        hrlp_host_consume(random_below(&campaign, 100));
    }
}

static void begin_campaign(void *argument)
{
    (void)argument;
    sut_interrupt_in(10, give_at_random);
}

static void campaign_of(uint64_t seed, bool one_shot)
{
    unsigned waiting = 0;

    set_up(one_shot);
    campaign.state = seed;
    gifts = received = timed_out = 0;
    hrlp_host_setup.clock_start = ((hrl_counts)1 << 32) - random_below(&campaign, 200000);
    hrlp_host_setup.port_call_counts = some_counts;
    sut_insert_counts = sut_remove_counts = some_counts;
    hrlp_host_setup.limit = 400000;
    for (unsigned i = 0; i < CAMPAIGN_THREADS; i++) {
        sut_start("random", random_between(&campaign, 1, 5), wait_at_random, NULL);
    }
    sut_start("begin", 31, begin_campaign, NULL);
    (void)sut_run(300000);
    for (struct hrl_thread *thread = queue.first; thread != NULL; thread = thread->wait.lower) {
        waiting++;
    }
    assert_true(waiting <= 5);
    assert_true(received > 50);
    assert_true(timed_out > 50);
    /* What was given and not received is on its way to threads that have not run since. */
    assert_true(gifts >= received && gifts - received <= CAMPAIGN_THREADS);
}

static void test_random_waits(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        campaign_of(seed, seed % 3 != 0);
    }
}

/* Late waiters: what keeps them from running lasts longer than a stamp can tell. */
enum { SECOND = SUT_CLOCK_HZ };

static void test_a_suspended_waiter_s_time_is_over_at_its_instant(void **state)
{
    hrl_counts until = 300 * (hrl_counts)SECOND;

    (void)state;
    set_up(true);
    sut_start("other", 2, sut_suspend_from_1_to_181_s, sut_start("waiter", 1, wait_until, &until));
    sut_run(500 * (hrl_counts)SECOND);
    assert_int_equal(given, HRL_TIMED_OUT);
    assert_int_equal(returned_at, until);
    assert_true(nothing_is_left());
}

static hrl_counts busy_from;

static void run_180_seconds(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(busy_from);
    hrlp_host_consume(180 * (hrl_counts)SECOND);
}

static void wait_then(void *argument)
{
    hrl_thread_sleep_until(1000);
    wait_until(argument);
}

static hrl_counts each_call_takes_one(void)
{
    return 1;
}

/* Wherever in the call the more urgent thread comes in; some hops of the wait pass meanwhile. */
static void test_a_waiter_that_is_starved_in_its_call(void **state)
{
    static const hrl_counts instants[] = {1500, 50 * (hrl_counts)SECOND, 290 * (hrl_counts)SECOND};

    (void)state;
    for (unsigned i = 0; i < sizeof instants / sizeof instants[0]; i++) {
        for (busy_from = 990; busy_from < 1050; busy_from++) {
            hrl_counts until = instants[i];
            hrl_counts earliest = busy_from + 180 * (hrl_counts)SECOND;

            set_up(true);
            hrlp_host_setup.port_call_counts = each_call_takes_one;
            sut_start("waiter", 1, wait_then, &until);
            sut_start("busy", 2, run_180_seconds, NULL);
            sut_run(500 * (hrl_counts)SECOND);
            assert_int_equal(given, HRL_TIMED_OUT);
            earliest = until > earliest ? until : earliest;
            assert_in_range(returned_at, earliest, earliest + 700);
        }
    }
}

#if HRL_CORES > 1 /* as there is another core only then */
/* The doorbell, which came late. */
static void ring(void)
{
    two_cores_deliver(0);
    hrli_core_rung();
}

/* Core 1 wakes the thread, just before its time-out. */
static void give_on_core_1(void)
{
    two_cores_number = 1;
    give();
    two_cores_number = 0;
    sut_interrupt_in(500, ring);
}

static void wait_with_core_1(void *argument)
{
    sut_interrupt_in(4990 - hrl_now(), give_on_core_1);
    wait_until(argument);
}

static void test_a_time_out_lets_the_doorbell_come_first(void **state)
{
    hrl_counts until = 5000;

    (void)state;
    set_up(true);
    hrlp_host_setup.port_call_counts = each_call_takes_one;
    sut_start("waiter", 1, wait_with_core_1, &until);
    sut_run(10000);
    assert_int_equal(given, HRL_OK);
    assert_true(returned_at >= 5490);
    assert_true(nothing_is_left());
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_at_all),
        cmocka_unit_test(test_until_an_instant_and_no_longer),
        cmocka_unit_test(test_what_comes_first_counts),
        cmocka_unit_test(test_a_gift_between_expiry_and_its_notice_is_taken),
        cmocka_unit_test(test_given_while_the_time_out_is_put_in),
        cmocka_unit_test(test_the_instant_passes_while_it_is_put_in),
        cmocka_unit_test(test_a_withdrawn_time_out_wakes_no_thread),
        cmocka_unit_test(test_a_store_has_one_user_at_a_time),
        cmocka_unit_test(test_a_sleeper_that_is_due_during_a_withdrawal_wakes_behind_it),
        cmocka_unit_test(test_a_hop_keeps_the_place_in_the_queue),
        cmocka_unit_test(test_a_suspended_waiter_s_time_is_over_at_its_instant),
        cmocka_unit_test(test_a_waiter_that_is_starved_in_its_call),
        cmocka_unit_test(test_random_waits),
#if HRL_CORES > 1 /* as above */
        cmocka_unit_test(test_a_time_out_lets_the_doorbell_come_first),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
