/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_host_jobs.h"
#include "on_cores.h"
#include <hrl/mutex.h>
#include <hrl/time.h>

/*
 * Mutexes that threads of several cores lock: the owner inherits, on its own core, the priorities of threads of others.
 * Each test is run with several seeds, and the instants are the same in all of them.
 */
enum { HOLDER, MIDDLE, URGENT, LAST }; /* the threads of a core */
enum { SEEDS = 20, DURATION = 5000, LAST_CORE = HRL_CORES - 1 };
enum { WORKED = 200, MIDDLE_COMES = 50, URGENT_COMES = 60, GIVES_UP = 100 };

static struct hrl_mutex mutexes[HRL_CORES + 1];
static unsigned middle_works;

/* What is noted: the threads' numbers, and behind them what is said here. */
enum { OWNS = LAST + 1, IS_OVER, TIMED_OUT };

static void run_all(void (*prepare)(void), void (*expect)(void))
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, DURATION, prepare));
        expect();
    }
}

/* ---- one owner -------------------------------------------------------------------------------- */

/* The least urgent thread of its core, which works on when it owns the mutex no longer. */
static void hold(void *argument)
{
    (void)argument;
    hrl_mutex_lock(&mutexes[0], HRL_FOREVER);
    hrlp_host_consume(WORKED);
    hrl_mutex_unlock(&mutexes[0]);
    hrlp_host_consume(10);
    note(IS_OVER);
}

static void disturb(void *argument)
{
    hrl_thread_sleep_until(MIDDLE_COMES);
    hrlp_host_consume(middle_works);
    note((unsigned)(uintptr_t)argument);
}

static void want(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(URGENT_COMES);
    hrl_mutex_lock(&mutexes[0], HRL_FOREVER);
    note(OWNS);
    hrl_mutex_unlock(&mutexes[0]);
}

static void prepare_owner(void)
{
    middle_works = 300;
    define(LAST_CORE, HOLDER, 2, hold);
    define(LAST_CORE, MIDDLE, 3, disturb);
    define(0, URGENT, 4, want);
}

/* From the urgent thread's wait on the owner comes before the middle one, and behind it from its unlock on. */
static void expect_inheritance(void)
{
    const hrl_counts lost = URGENT_COMES - MIDDLE_COMES;

    assert_int_equal(when(0, OWNS), WORKED + lost);
    assert_int_equal(when(LAST_CORE, MIDDLE), WORKED + 300);
    assert_int_equal(when(LAST_CORE, IS_OVER), WORKED + 300 + 10);
}

static void test_the_owner_inherits_from_a_thread_of_another_core(void **state)
{
    (void)state;
    run_all(prepare_owner, expect_inheritance);
}

static void want_until(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(URGENT_COMES);
    if (hrl_mutex_lock(&mutexes[0], GIVES_UP) == HRL_TIMED_OUT) {
        note(TIMED_OUT);
    }
}

static void prepare_time_out(void)
{
    middle_works = 100;
    define(LAST_CORE, HOLDER, 2, hold);
    define(LAST_CORE, MIDDLE, 3, disturb);
    define(0, URGENT, 4, want_until);
}

static void expect_time_out(void)
{
    assert_int_equal(when(0, TIMED_OUT), GIVES_UP);
    assert_int_equal(when(LAST_CORE, MIDDLE), GIVES_UP + 100 - (URGENT_COMES - MIDDLE_COMES));
    assert_int_equal(when(LAST_CORE, IS_OVER), WORKED + 100 + 10);
}

static void test_a_wait_that_times_out_gives_back_what_it_lent(void **state)
{
    (void)state;
    run_all(prepare_time_out, expect_time_out);
}

/* ---- chains ----------------------------------------------------------------------------------- */

/* Owns the mutex of its core's number, and wants the next. */
static void pass_on(void *argument)
{
    unsigned core = hrlp_core_number();

    (void)argument;
    hrl_mutex_lock(&mutexes[core], HRL_FOREVER);
    hrl_thread_sleep_until(10 + core);
    hrl_mutex_lock(&mutexes[core + 1], HRL_FOREVER);
    note(OWNS);
    hrl_mutex_unlock(&mutexes[core + 1]);
    hrl_mutex_unlock(&mutexes[core]);
}

static void hold_last(void *argument)
{
    (void)argument;
    hrl_mutex_lock(&mutexes[HRL_CORES], HRL_FOREVER);
    hrlp_host_consume(WORKED);
    hrl_mutex_unlock(&mutexes[HRL_CORES]);
}

static void want_first(void *argument)
{
    hrl_thread_sleep_until(URGENT_COMES);
    hrl_mutex_lock(&mutexes[0], HRL_FOREVER);
    note((unsigned)(uintptr_t)argument);
    hrl_mutex_unlock(&mutexes[0]);
}

/* From core to core, and back to the first one. */
static void prepare_chain(void)
{
    middle_works = 300;
    for (unsigned core = 0; core < HRL_CORES; core++) {
        define(core, HOLDER, 2, pass_on);
        define(core, MIDDLE, 3, disturb);
    }
    define(0, LAST, 1, hold_last);
    define(0, URGENT, 4, want_first);
}

static void expect_chain(void)
{
    const hrl_counts free = WORKED + URGENT_COMES - MIDDLE_COMES;

    assert_int_equal(when(0, URGENT), free);
    for (unsigned core = 0; core < HRL_CORES; core++) {
        assert_int_equal(when(core, OWNS), free);
        assert_int_equal(when(core, MIDDLE), core == 0 ? 500 : 350);
    }
}

static void test_a_chain_of_owners_goes_over_all_cores_and_back(void **state)
{
    (void)state;
    run_all(prepare_chain, expect_chain);
}

/* ---- who comes next --------------------------------------------------------------------------- */

static unsigned instant_of(unsigned core, unsigned which)
{
    return 10 * (1 + which * HRL_CORES + core);
}

static void queue_up(void *argument)
{
    unsigned which = (unsigned)(uintptr_t)argument;

    hrl_thread_sleep_until(instant_of(hrlp_core_number(), which));
    hrl_mutex_lock(&mutexes[0], HRL_FOREVER);
    note(which);
    hrlp_host_consume(10);
    hrl_mutex_unlock(&mutexes[0]);
}

static void prepare_queue(void)
{
    define(LAST_CORE, HOLDER, 1, hold);
    for (unsigned core = 0; core < HRL_CORES; core++) {
        define(core, MIDDLE, 3, queue_up);
        define(core, URGENT, 5, queue_up);
    }
}

static void expect_queue(void)
{
    unsigned next = 0;

    for (unsigned which = URGENT; which >= MIDDLE; which--) {
        for (unsigned core = 0; core < HRL_CORES; core++) {
            assert_int_equal(when(core, which), WORKED + 10 * next);
            next++;
        }
    }
}

static void test_it_goes_to_the_most_urgent_and_of_these_to_the_first(void **state)
{
    (void)state;
    run_all(prepare_queue, expect_queue);
}

/* ---- ceilings --------------------------------------------------------------------------------- */

static void hold_at_ceiling(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(10 * hrlp_core_number());
    hrl_mutex_lock(&mutexes[0], HRL_FOREVER);
    note(OWNS);
    hrlp_host_consume(WORKED);
    hrl_mutex_unlock(&mutexes[0]);
}

/* It comes when the thread of its core owns the mutex. */
static void come_late(void *argument)
{
    hrl_thread_sleep_until(WORKED * hrlp_core_number() + 100);
    note((unsigned)(uintptr_t)argument);
}

static void prepare_ceiling(void)
{
    mutexes[0].ceiling = 6;
    for (unsigned core = 0; core < HRL_CORES; core++) {
        define(core, HOLDER, 2, hold_at_ceiling);
        define(core, MIDDLE, 5, come_late);
    }
}

static void expect_ceiling(void)
{
    for (unsigned core = 0; core < HRL_CORES; core++) {
        assert_int_equal(when(core, OWNS), WORKED * core);
        assert_int_equal(when(core, MIDDLE), WORKED * (core + 1));
    }
}

static void test_the_owner_has_the_ceiling_on_its_core(void **state)
{
    (void)state;
    run_all(prepare_ceiling, expect_ceiling);
}

/* ---- threads that end ------------------------------------------------------------------------- */

static void lock_and_end(void *argument)
{
    (void)argument;
    hrl_mutex_lock(&mutexes[0], HRL_FOREVER);
    hrlp_host_consume(10);
    hrl_mutex_unlock(&mutexes[0]);
    note(IS_OVER);
}

static void start_again(void *argument)
{
    (void)argument;
    for (unsigned times = 0; times < 5; times++) {
        (void)hrl_thread_join(&threads[LAST_CORE][HOLDER], HRL_FOREVER);
        hrl_thread_start(&threads[LAST_CORE][HOLDER]);
    }
}

static void lock_all_the_time(void *argument)
{
    (void)argument;
    for (unsigned times = 0; times < 20; times++) {
        lock_and_end(NULL);
    }
}

static void prepare_restarts(void)
{
    define(LAST_CORE, HOLDER, 2, lock_and_end);
    define(0, MIDDLE, 3, start_again);
    define(0, LAST, 2, lock_all_the_time);
}

static void expect_restarts(void)
{
    unsigned ends[HRL_CORES] = {0};

    for (unsigned i = 0; i < seen->count; i++) {
        ends[seen->notes[i].core]++;
    }
    assert_int_equal(ends[LAST_CORE], 6);
    assert_int_equal(ends[0], 20);
    assert_int_equal(seen->notes[seen->count - 1].at, 26 * 10);
}

static void test_a_thread_ends_and_locks_again_when_it_is_started_again(void **state)
{
    (void)state;
    run_all(prepare_restarts, expect_restarts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_owner_inherits_from_a_thread_of_another_core),
        cmocka_unit_test(test_a_wait_that_times_out_gives_back_what_it_lent),
        cmocka_unit_test(test_a_chain_of_owners_goes_over_all_cores_and_back),
        cmocka_unit_test(test_it_goes_to_the_most_urgent_and_of_these_to_the_first),
        cmocka_unit_test(test_the_owner_has_the_ceiling_on_its_core),
        cmocka_unit_test(test_a_thread_ends_and_locks_again_when_it_is_started_again),
    };

    share_what_is_seen();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
