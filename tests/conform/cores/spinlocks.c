/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_host_jobs.h"
#include "on_cores.h"
#include <hrl/spinlock.h>
#include <hrl/time.h>
#include <signal.h>
#include <stdio.h>

/* Spinlocks that all cores take, in runs of several seeds: one after the other, in the order in which they came. */
enum { SEEDS = 20, DURATION = 20000, SECTION = 50, STEP = 10, ROUNDS = 20 };

static struct hrl_spinlock outer = HRL_SPINLOCK_INIT(1), inner = HRL_SPINLOCK_INIT(2);
static unsigned total;

/* Each comes while the one before it holds the lock. */
static void come_in_turn(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(STEP * (1 + hrlp_core_number()));
    hrl_spinlock_take(&outer);
    note(0);
    hrlp_host_consume(SECTION);
    hrl_spinlock_give(&outer);
}

static void come_meanwhile(void *argument)
{
    hrl_thread_sleep_until(STEP * (1 + HRL_CORES));
    note((unsigned)(uintptr_t)argument);
}

static void prepare_turns(void)
{
    for (unsigned core = 0; core < HRL_CORES; core++) {
        define(core, 0, 2, come_in_turn);
        define(core, 1, 3, come_meanwhile);
    }
}

/* The last one waits for one section of each other core, and no thread comes in between on its core. */
static void test_each_core_has_its_turn_and_is_not_preempted(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, DURATION, prepare_turns));
        assert_int_equal(seen->count, 2 * HRL_CORES);
        for (unsigned core = 0; core < HRL_CORES; core++) {
            assert_int_equal(when(core, 0), STEP + SECTION * core);
            assert_int_equal(when(core, 1), STEP + SECTION * (core + 1));
        }
    }
}

/* What all share is read, and written later. */
static void count(void *argument)
{
    (void)argument;
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned seen_total;

        hrl_spinlock_take(&outer);
        hrl_spinlock_take(&inner);
        seen_total = total;
        hrlp_host_consume(1 + (round + hrlp_core_number()) % 3);
        total = seen_total + 1;
        hrl_spinlock_give(&inner);
        hrl_spinlock_give(&outer);
        (void)hrl_now();
    }
    note(total);
}

static void prepare_counting(void)
{
    for (unsigned core = 0; core < HRL_CORES; core++) {
        define(core, 0, 2, count);
    }
}

static void test_sections_are_one_after_the_other(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, DURATION, prepare_counting));
        assert_int_equal(seen->notes[HRL_CORES - 1].what, HRL_CORES * ROUNDS);
    }
}

/* Misuse by two cores: the other ones are in unit/sync/test_spinlock.c. */
static void take_it(void *argument)
{
    (void)argument;
    hrl_spinlock_take(&outer);
    hrlp_host_consume(SECTION);
}

static void give_it(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(10);
    hrl_spinlock_give(&outer);
}

static void prepare_wrong(void)
{
    (void)freopen("/dev/null", "w", stderr);
    (void)signal(SIGABRT, SIG_DFL);
    define(0, 0, 2, take_it);
    define(1, 0, 2, give_it);
}

static void test_another_core_does_not_give_it(void **state)
{
    (void)state;
    assert_true(run(1, DURATION, prepare_wrong) != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_core_has_its_turn_and_is_not_preempted),
        cmocka_unit_test(test_sections_are_one_after_the_other),
        cmocka_unit_test(test_another_core_does_not_give_it),
    };

    share_what_is_seen();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
