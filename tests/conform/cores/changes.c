/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_host_jobs.h"
#include "on_cores.h"
#include <hrl/time.h>

/* Threads that another core suspends, resumes, gives another priority, or starts again: in runs of several seeds. */
enum { LEFT, RIGHT }; /* the threads of core 1 */
enum { SEEDS = 20, ROUNDS = 20, ROUND = 10, DURATION = 10000, SUSPENDED_AT = 55, RESUMED_AT = 500 };

static void do_rounds(void *which)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        hrlp_host_consume(ROUND);
        note((unsigned)(uintptr_t)which);
    }
}

/* How many notes of `what` core 1 made from `from` on, before `to`. */
static unsigned notes(unsigned what, hrl_counts from, hrl_counts to)
{
    unsigned count = 0;

    for (unsigned i = 0; i < seen->count; i++) {
        const struct note *one = &seen->notes[i];

        count += one->core == 1 && one->what == what && one->at >= from && one->at < to;
    }
    return count;
}

static void suspend_and_resume(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(SUSPENDED_AT);
    hrl_thread_suspend(&threads[1][LEFT]);
    hrl_thread_sleep_until(RESUMED_AT);
    assert_int_equal(hrl_thread_state_of(&threads[1][LEFT]), HRL_THREAD_SUSPENDED);
    hrl_thread_resume(&threads[1][LEFT]);
}

static void prepare_suspension(void)
{
    define(1, LEFT, 3, do_rounds);
    define(0, 0, 3, suspend_and_resume);
}

static void test_a_thread_that_works_is_suspended_and_goes_on_where_it_was(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, DURATION, prepare_suspension));
        assert_int_equal(notes(LEFT, 0, SUSPENDED_AT), SUSPENDED_AT / ROUND);
        assert_int_equal(notes(LEFT, SUSPENDED_AT, RESUMED_AT), 0);
        assert_int_equal(notes(LEFT, RESUMED_AT, DURATION), ROUNDS - SUSPENDED_AT / ROUND);
    }
}

static void make_the_other_more_urgent(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(SUSPENDED_AT);
    hrl_thread_set_priority(&threads[1][RIGHT], 4);
}

static void prepare_priorities(void)
{
    define(1, LEFT, 3, do_rounds);
    define(1, RIGHT, 2, do_rounds);
    define(0, 0, 3, make_the_other_more_urgent);
}

static void test_a_thread_that_is_made_more_urgent_comes_first(void **state)
{
    const hrl_counts over = SUSPENDED_AT + ROUNDS * ROUND;

    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, DURATION, prepare_priorities));
        assert_int_equal(notes(LEFT, 0, SUSPENDED_AT), SUSPENDED_AT / ROUND);
        assert_int_equal(notes(RIGHT, 0, over + 1), ROUNDS);
        assert_int_equal(notes(LEFT, SUSPENDED_AT, over + 1), 0);
        assert_int_equal(notes(LEFT, over, DURATION), ROUNDS - SUSPENDED_AT / ROUND);
    }
}

static void start_again(void *argument)
{
    (void)argument;
    for (unsigned times = 1; times < 3; times++) {
        (void)hrl_thread_join(&threads[1][LEFT], HRL_FOREVER);
        hrl_thread_start(&threads[1][LEFT]);
    }
}

static void prepare_restarts(void)
{
    define(1, LEFT, 3, do_rounds);
    define(0, 0, 3, start_again);
}

static void test_a_thread_that_has_ended_is_started_again_from_another_core(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, DURATION, prepare_restarts));
        assert_int_equal(notes(LEFT, 0, DURATION), 3 * ROUNDS);
        assert_int_equal(notes(LEFT, 0, 3 * ROUNDS * ROUND + 1), 3 * ROUNDS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_thread_that_works_is_suspended_and_goes_on_where_it_was),
        cmocka_unit_test(test_a_thread_that_is_made_more_urgent_comes_first),
        cmocka_unit_test(test_a_thread_that_has_ended_is_started_again_from_another_core),
    };

    share_what_is_seen();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
