/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/thread.h>

static void one_releaser(void)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.cell_period = 1000});
}

static struct hrl_thread *seen;

static void look(void)
{
    seen = hrl_thread_current();
}

static void test_a_body_runs_once_a_release(void **state)
{
    (void)state;
    one_releaser();
    sut_add_task(
        (struct sut_task){.level = 1, .period = sut_period(2000, 1), .cost = 10, .body = look});
    sut_run(10000);
    assert_int_equal(sut_count('S', 0), 5);
    assert_int_equal(sut_count('E', 0), 5);
    assert_ptr_equal(seen, sut_thread(0));
    assert_string_equal(hrl_thread_name(seen), "task");
}

static uint32_t skipped[4];
static unsigned waits;

/* A body that loops by itself: jobs of 500, 2500, 500, ... */
static void own_loop(void)
{
    for (;;) {
        hrlp_host_consume(waits % 2 == 0 ? 500 : 2500);
        if (waits == 4) {
            return;
        }
        skipped[waits++] = hrl_release_wait();
    }
}

static void test_waiting_tells_how_many_releases_were_skipped(void **state)
{
    (void)state;
    one_releaser();
    waits = 0;
    sut_add_task((struct sut_task){.level = 1, .period = sut_period(1000, 1), .body = own_loop});
    sut_run(9000);
    assert_int_equal(waits, 4);
    assert_int_equal(skipped[0], 0);
    assert_int_equal(skipped[1], 2);
    assert_int_equal(skipped[2], 0);
    assert_int_equal(skipped[3], 2);
    assert_int_equal(hrl_thread_overruns(sut_thread(0)), 4);
}

static void test_a_thread_that_is_not_periodic_overruns_nothing(void **state)
{
    struct hrl_thread *plain;

    (void)state;
    one_releaser();
    plain = sut_define("plain", 1, NULL, NULL);
    assert_int_equal(hrl_thread_overruns(plain), 0);
}

static void test_queued_overruns_are_never_reported_as_skipped(void **state)
{
    (void)state;
    one_releaser();
    waits = 0;
    sut_add_task((struct sut_task){
        .level = 1, .period = sut_period(1000, 1), .queue_overruns = true, .body = own_loop});
    sut_run(7000);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(skipped[i], 0);
    }
    assert_true(sut_periodic(0)->overruns >= 3);
}

/*
 * A late job ends as another, more urgent task waits: the overrun is noted by the late thread, then
 * the dispatch that was held off happens.
 */
static hrl_counts walk_of_1500(void)
{
    return 1500;
}

static void test_dispatch_held_off_by_a_walk_happens_after_it(void **state)
{
    (void)state;
    one_releaser();
    sut_insert_counts = walk_of_1500;
    sut_add_task((struct sut_task){.level = 1, .period = sut_period(10000, 1), .cost = 200});
    sut_add_task(
        (struct sut_task){.level = 2, .offset = 1000, .period = sut_period(10000, 1), .cost = 200});
    sut_run(5000);
    assert_int_equal(sut_nth('S', 1, 0)->at, sut_zero() + 1700);
}

static unsigned late_jobs;

static void late_once(void)
{
    if (late_jobs++ == 0) {
        hrlp_host_consume(1200);
    }
}

/* With "queue" a late job goes on without waiting, but a more urgent thread goes first. */
static void test_a_late_job_does_not_hold_back_the_more_urgent(void **state)
{
    (void)state;
    one_releaser();
    late_jobs = 0;
    sut_add_task((struct sut_task){.level = 1,
                                   .period = sut_period(1000, 1),
                                   .queue_overruns = true,
                                   .cost = 300,
                                   .body = late_once});
    sut_add_task((struct sut_task){.level = 2, .period = sut_period(1000, 1), .cost = 200});
    sut_run(8000);
    for (unsigned k = 0; k < 8; k++) {
        assert_int_equal(sut_nth('S', 1, k)->at, sut_zero() + 1000 * k);
    }
    assert_int_equal(sut_count('S', 0), 8);
}

static hrl_counts slow_walk(void)
{
    return sut_releaser_of(0)->busy && hrlp_host_now() < sut_zero() + 2000 ? 500 : 0;
}

/*
 * The more urgent release falls while the late thread looks whether it is late: it is not held
 * back.
 */
static void test_a_release_while_an_overrun_is_being_noted_is_dispatched(void **state)
{
    (void)state;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true}); /* it reads the clock in the walk */
    hrlp_host_setup.port_call_counts = slow_walk;
    sut_add_task((struct sut_task){
        .level = 1, .period = sut_period(1000, 1), .queue_overruns = true, .cost = 1800});
    sut_add_task((struct sut_task){
        .level = 2, .offset = 2000, .period = sut_period(100000, 1), .cost = 200});
    hrlp_host_setup.limit = 5000;
    sut_run(4000);
    assert_int_equal(sut_nth('E', 0, 0)->at, sut_zero() + 1800);
    assert_true(sut_nth('S', 1, 0) < sut_nth('S', 0, 1));
}

static void wait_for_a_release(void *argument)
{
    (void)argument;
    (void)hrl_release_wait();
}

static void wait_at_once(void)
{
    (void)hrl_release_wait();
}

static void wait_in_an_interrupt(void)
{
    sut_interrupt_in(10, wait_at_once);
    hrlp_host_consume(100);
}

static void test_only_periodic_threads_wait_for_releases(void **state)
{
    static const char reason[] = "hrl_release_wait: for periodic threads";

    (void)state;
    sut_reset();
    sut_start("wrong", 1, wait_for_a_release, NULL);
    sut_run_to_assertion(1000, reason);
    one_releaser();
    sut_add_task(
        (struct sut_task){.level = 1, .period = sut_period(1000, 1), .body = wait_in_an_interrupt});
    sut_run_to_assertion(1000, reason);
    sut_reset(); /* before hrl_start */
    sut_call_to_assertion(wait_at_once, reason);
}

static void wait_with_interrupts_masked(void)
{
    (void)hrlp_irq_lock();
    (void)hrl_release_wait();
}

static void test_no_job_ends_with_interrupts_masked(void **state)
{
    (void)state;
    one_releaser();
    sut_add_task((struct sut_task){
        .level = 1, .period = sut_period(1000, 1), .body = wait_with_interrupts_masked});
    sut_run_to_assertion(1000, "the end of a job with interrupts masked");
}

static hrl_counts one_count(void)
{
    return 1;
}

/*
 * A period of a hop and a count: that one has passed before the thread, released at the hop, has
 * asked for it. It waited, so it is not late.
 */
static void test_a_thread_that_waited_for_the_last_hop_is_not_late(void **state)
{
    const uint32_t period = HRLI_PERIOD_HOP_COUNTS + 1u;

    (void)state;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true});
    sut_add_task((struct sut_task){.level = 1, .period = sut_period(period, 1), .cost = 10});
    hrlp_host_setup.port_call_counts = one_count;
    sut_run(3 * (hrl_counts)period - 1000);
    assert_int_equal(sut_count('S', 0), 3);
    for (unsigned k = 0; k < 3; k++) {
        assert_in_range(sut_nth('S', 0, k)->at - sut_zero() - k * (hrl_counts)period, 1, 100);
    }
    assert_int_equal(hrl_thread_overruns(sut_thread(0)), 0);
}

/*
 * Late by more than a stamp can tell: a more urgent task keeps another from running for so many
 * seconds. Each release meanwhile is an overrun, and the phase is kept.
 */
enum { SECOND = 25000000, LATE_PERIOD = 1750000, BUSY_FROM = 10 };

struct late_store {
    struct sut_releaser releaser;
    const char *name;
};

static const struct late_store late_stores[] = {
    {{.cell_period = LATE_PERIOD}, "periodic"},
    {{.cell_period = LATE_PERIOD / 5, .divider = 5}, "divider"},
    {{.one_shot = true}, "one-shot"},
    {{.one_shot = true, .span = 1u << 23}, "narrow"},
    {{.one_shot = true, .cooperates = true}, "cooperative"},
    {{.one_shot = true, .cooperates = true, .span = 1u << 23}, "narrow cooperative"},
    {{.cell_period = LATE_PERIOD, .store = SUT_UNSORTED_LIST}, "unsorted"},
    {{.cell_period = LATE_PERIOD, .store = SUT_HARMONIC_ARRAY}, "harmonic"},
#if HRL_RELEASE_MASKS
    {{.cell_period = LATE_PERIOD, .store = SUT_PERIOD_GROUPS}, "groups"},
    {{.one_shot = true, .store = SUT_PERIOD_GROUPS}, "one-shot groups"},
    {{.cell_period = LATE_PERIOD, .store = SUT_MASK_TABLE}, "table"},
    {{.one_shot = true, .store = SUT_MASK_TABLE}, "one-shot table"},
#endif
};
enum { LATE_STORES = sizeof late_stores / sizeof late_stores[0] };

/* The late task is number 0. */
static void run_late(const struct late_store *store, hrl_counts busy, bool queue_overruns,
                     hrl_counts window)
{
    sut_reset();
    hrlp_host_setup.clock_start = ((hrl_counts)1 << 32) - 30 * (hrl_counts)SECOND;
    hrlp_host_setup.limit = 2 * window;
    sut_add_releaser(store->releaser);
    sut_add_releaser((struct sut_releaser){.one_shot = true});
    sut_add_task((struct sut_task){.level = 1,
                                   .period = sut_period(LATE_PERIOD, 1),
                                   .cost = 10,
                                   .queue_overruns = queue_overruns});
    sut_add_task((struct sut_task){.releaser = 1,
                                   .level = 2,
                                   .offset = BUSY_FROM * SECOND,
                                   .period = sut_period(2000 * (uint64_t)SECOND, 1),
                                   .cost = busy});
    sut_run(window);
}

static void test_a_starved_task_counts_every_release_and_keeps_its_phase(void **state)
{
    static const unsigned busy[] = {60, 100, 150, 180, 250, 300, 600};

    (void)state;
    for (unsigned i = 0; i < LATE_STORES * 7 * 2; i++) {
        const struct late_store *store = &late_stores[i / 14];
        bool queues = i % 2 != 0;
        hrl_counts end = (BUSY_FROM + busy[i / 2 % 7]) * (hrl_counts)SECOND;
        hrl_counts window = end + 100 * (hrl_counts)SECOND;
        hrl_counts first = (BUSY_FROM * (hrl_counts)SECOND + LATE_PERIOD - 1) / LATE_PERIOD;
        hrl_counts passed = end / LATE_PERIOD - first; /* while the job of the first waited */
        hrl_counts releases = (window + LATE_PERIOD - 1) / LATE_PERIOD;

        run_late(store, end - BUSY_FROM * (hrl_counts)SECOND, queues, window);
        if (sut_periodic(0)->overruns != passed) {
            print_error("%s, busy for %u s, %s\n", store->name, busy[i / 2 % 7],
                        queues ? "queue" : "skip");
        }
        assert_int_equal(sut_periodic(0)->overruns, passed);
        assert_int_equal(sut_overrun_hooks[0], passed);
        assert_int_equal(sut_count('S', 0), queues ? releases : releases - passed);
        assert_int_equal(sut_nth('S', 0, sut_count('S', 0) - 1)->at - sut_zero(),
                         (releases - 1) * LATE_PERIOD);
    }
}

/* Twice as much work as there is time for, for 20 minutes: no job is lost, and none waits. */
static void test_queued_jobs_at_twice_the_load_are_all_counted(void **state)
{
    const hrl_counts window = 1200 * (hrl_counts)SECOND;

    (void)state;
    for (unsigned i = 0; i < LATE_STORES; i++) {
        sut_reset();
        hrlp_host_setup.limit = window;
        sut_add_releaser(late_stores[i].releaser);
        sut_add_task((struct sut_task){.level = 1,
                                       .period = sut_period(LATE_PERIOD, 1),
                                       .cost = 2 * LATE_PERIOD,
                                       .queue_overruns = true});
        sut_run(window);
        assert_int_equal(sut_periodic(0)->overruns, window / (2 * LATE_PERIOD));
        for (size_t k = 0; k < sut_count('S', 0); k += 97) {
            assert_int_equal(sut_nth('S', 0, k)->at - sut_zero(), k * 2 * LATE_PERIOD);
        }
    }
}

/* Periods of some hops, whole and fractional, and any delay of the thread between two releases. */
static void test_a_starved_task_of_a_long_period(void **state)
{
    static const unsigned periods[] = {50, 100, 200, 400};

    (void)state;
    for (unsigned i = 0; i < 4 * 12; i++) {
        hrl_counts period = periods[i / 12] * (hrl_counts)SECOND;
        unsigned busy = 20 + 60 * (i % 12);
        hrl_counts end = (BUSY_FROM + busy) * (hrl_counts)SECOND;

        sut_reset();
        sut_add_releaser((struct sut_releaser){.one_shot = true});
        sut_add_task(
            (struct sut_task){.level = 1, .period = sut_period(3 * period + 1, 3), .cost = 10});
        sut_add_task((struct sut_task){.level = 2,
                                       .offset = BUSY_FROM * SECOND,
                                       .period = sut_period(5000 * (uint64_t)SECOND, 1),
                                       .cost = busy * (hrl_counts)SECOND});
        sut_run(2400 * (hrl_counts)SECOND);
        /* Its job had ended before: the next release starts late, the others meanwhile are over. */
        assert_int_equal(sut_periodic(0)->overruns, end / period > 1 ? end / period - 1 : 0);
        assert_in_range(sut_nth('S', 0, sut_count('S', 0) - 1)->at % period - sut_zero() % period,
                        0, 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_body_runs_once_a_release),
        cmocka_unit_test(test_waiting_tells_how_many_releases_were_skipped),
        cmocka_unit_test(test_a_thread_that_is_not_periodic_overruns_nothing),
        cmocka_unit_test(test_queued_overruns_are_never_reported_as_skipped),
        cmocka_unit_test(test_dispatch_held_off_by_a_walk_happens_after_it),
        cmocka_unit_test(test_a_late_job_does_not_hold_back_the_more_urgent),
        cmocka_unit_test(test_only_periodic_threads_wait_for_releases),
        cmocka_unit_test(test_no_job_ends_with_interrupts_masked),
        cmocka_unit_test(test_a_starved_task_counts_every_release_and_keeps_its_phase),
        cmocka_unit_test(test_queued_jobs_at_twice_the_load_are_all_counted),
        cmocka_unit_test(test_a_starved_task_of_a_long_period),
        cmocka_unit_test(test_a_thread_that_waited_for_the_last_hop_is_not_late),
        cmocka_unit_test(test_a_release_while_an_overrun_is_being_noted_is_dispatched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
