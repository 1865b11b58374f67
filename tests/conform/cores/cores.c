/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cores.h"
#include "hrlp_host_jobs.h"
#include "hrlp_host_machine.h"
#include "hrlp_irq.h"
#include "on_cores.h"
#include <hrl/alarm.h>
#include <hrl/kernel.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The contract of cores (hrlp_cores.h), and the systems of systems/plain on several. */

/* ---- threads and services ---------------------------------------------------------------------- */

static struct hrl_semaphore tokens[HRL_CORES];

static void hand_on(void *argument)
{
    unsigned self = hrlp_core_number();

    (void)argument;
    for (unsigned round = 0; round < 10; round++) {
        hrl_semaphore_take(&tokens[self], HRL_FOREVER);
        note(round);
        hrl_semaphore_give(&tokens[(self + 1) % HRL_CORES]);
    }
}

static void prepare_ring(void)
{
    for (unsigned core = 0; core < HRL_CORES; core++) {
        tokens[core] = (struct hrl_semaphore)HRL_SEMAPHORE_INIT(0, 1);
        define(core, 0, 3, hand_on);
    }
    hrl_semaphore_give(&tokens[0]);
}

static void test_a_token_goes_round_the_cores(void **state)
{
    (void)state;
    assert_done(run(1, 1000, prepare_ring));
    assert_int_equal(seen->count, 10 * HRL_CORES);
    for (unsigned i = 0; i < seen->count; i++) {
        assert_int_equal(seen->notes[i].core, i % HRL_CORES);
        assert_int_equal(seen->notes[i].what, i / HRL_CORES);
    }
}

static void read_the_clock(void *argument)
{
    (void)argument;
    for (unsigned i = 0; i < 200; i++) {
        note(i);
        (void)hrl_now();
    }
}

static void prepare_readers(void)
{
    for (unsigned core = 0; core < HRL_CORES; core++) {
        define(core, 0, 3, read_the_clock);
    }
}

static void test_a_run_can_be_repeated_and_another_seed_is_another_run(void **state)
{
    static struct seen first;

    (void)state;
    assert_done(run(1, 1000, prepare_readers));
    assert_int_equal(seen->count, 200 * HRL_CORES);
    first = *seen;
    assert_done(run(1, 1000, prepare_readers));
    assert_memory_equal(seen, &first, sizeof first);
    assert_done(run(2, 1000, prepare_readers));
    assert_memory_not_equal(seen, &first, sizeof first);
}

/* A turn is as long as the setup says, so that cores come in between any two calls of the port. */
static void prepare_short_turns(void)
{
    hrlp_host_setup.turn_calls = 1;
    prepare_readers();
}

static unsigned changes(void)
{
    unsigned count = 0;

    for (unsigned i = 1; i < seen->count; i++) {
        count += seen->notes[i].core != seen->notes[i - 1].core;
    }
    return count;
}

static void test_turns_are_as_short_as_a_call(void **state)
{
    unsigned of_usual_turns;

    (void)state;
    assert_done(run(1, 1000, prepare_readers));
    of_usual_turns = changes();
    assert_done(run(1, 1000, prepare_short_turns));
    assert_true(of_usual_turns > 10);
    assert_true(changes() > 2 * of_usual_turns);
}

/* ---- time ------------------------------------------------------------------------------------- */

static void work(void *argument)
{
    (void)argument;
    hrlp_host_consume(100);
    note(0);
    hrl_thread_sleep_until(hrl_now() + 50 * (1 + hrlp_core_number()));
    note(1);
}

static void prepare_workers(void)
{
    for (unsigned core = 0; core < HRL_CORES; core++) {
        define(core, 0, 3, work);
    }
}

static void test_cores_work_side_by_side(void **state)
{
    (void)state;
    assert_done(run(3, 5000, prepare_workers));
    for (unsigned core = 0; core < HRL_CORES; core++) {
        assert_int_equal(when(core, 0), 100);
        assert_int_equal(when(core, 1), 100 + 50 * (1 + core));
    }
    assert_int_equal(seen->end, 5000);
}

static hrl_counts last_reading;

/* Between the look and the reading another core may have read, so the reading is not older. */
static void compare_readings(void *argument)
{
    (void)argument;
    for (unsigned i = 0; i < 500; i++) {
        hrl_counts before = last_reading, now = hrl_now();

        if (now < before) {
            note(1);
        }
        last_reading = now;
    }
    note(0);
}

static hrl_counts take_a_count(void)
{
    return 1;
}

static void prepare_readings(void)
{
    hrlp_host_setup.clock_start = UINT32_MAX - 700u;
    hrlp_host_setup.start = UINT32_MAX - 600u;
    hrlp_host_setup.port_call_counts = take_a_count;
    for (unsigned core = 0; core < HRL_CORES; core++) {
        define(core, 0, 3, compare_readings);
    }
}

static void test_the_clock_is_monotone_across_cores_and_its_wrap(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        assert_done(run(seed, 20000, prepare_readings));
        assert_int_equal(seen->count,
                         HRL_CORES); /* each came to its end, and none saw time go back */
        for (unsigned core = 0; core < HRL_CORES; core++) {
            assert_true(when(core, 0) > UINT32_MAX);
        }
    }
}

/* ---- interrupts between cores ----------------------------------------------------------------- */

static struct hrl_semaphore urgent;

static void be_urgent(void *argument)
{
    (void)argument;
    hrl_semaphore_take(&urgent, HRL_FOREVER);
    note(1);
}

static void work_long(void *argument)
{
    (void)argument;
    hrlp_host_consume(1000);
    note(0);
}

static void give_later(void *argument)
{
    (void)argument;
    hrlp_host_consume(300);
    hrl_semaphore_give(&urgent);
}

static void prepare_interrupted(void)
{
    urgent = (struct hrl_semaphore)HRL_SEMAPHORE_INIT(0, 1);
    define(0, 0, 3, work_long);
    define(0, 1, 5, be_urgent);
    define(1, 0, 3, give_later);
}

static void test_a_core_that_works_is_interrupted(void **state)
{
    (void)state;
    assert_done(run(4, 5000, prepare_interrupted));
    assert_int_equal(when(0, 1), 300);
    assert_int_equal(when(0, 0), 1000);
}

static void handle(void *argument)
{
    (void)argument;
    note(7);
}

static void let_a_line_through(void *argument)
{
    (void)argument;
    hrl_interrupt_attach(12, handle, NULL);
    hrl_interrupt_enable(12, 3);
    hrlp_host_consume(100);
}

static void raise_lines(void *argument)
{
    (void)argument;
    hrlp_host_consume(40);
    for (unsigned core = 1; core < HRL_CORES; core++) {
        hrlp_host_raise_on(core, 12);
    }
}

static void prepare_lines(void)
{
    for (unsigned core = 1; core < HRL_CORES; core++) {
        define(core, 0, 3, let_a_line_through);
    }
    define(0, 0, 3, raise_lines);
}

static void test_a_core_raises_lines_of_the_others(void **state)
{
    (void)state;
    assert_done(run(5, 1000, prepare_lines));
    assert_int_equal(seen->count, HRL_CORES - 1);
    for (unsigned core = 1; core < HRL_CORES; core++) {
        assert_int_equal(when(core, 7), 40);
    }
}

/* ---- locks, the meeting, what is private ------------------------------------------------------ */

static void (*on_lock)(unsigned core, unsigned lock);

/* Core 0 has the lock when the others come, the last core first. */
static void come_in_turn(void *argument)
{
    unsigned core = hrlp_core_number();
    hrlp_irq_state state = hrlp_irq_lock();

    (void)argument;
    hrlp_host_consume(core == 0 ? 0 : 10 * (HRL_CORES - core));
    hrlp_lock_take(2);
    note(2);
    hrlp_host_consume(core == 0 ? 100 : 5);
    hrlp_lock_give(2);
    hrlp_irq_unlock(state);
}

static void prepare_lock(void)
{
    hrlp_host_setup.took_lock = on_lock;
    hrlp_host_setup.gives_lock = on_lock;
    for (unsigned core = 0; core < HRL_CORES; core++) {
        define(core, 0, 3, come_in_turn);
    }
}

static void assert_lock_taken_in_turn(void)
{
    assert_int_equal(seen->count, HRL_CORES);
    assert_int_equal(seen->notes[0].core, 0);
    for (unsigned i = 1; i < HRL_CORES; i++) {
        assert_int_equal(seen->notes[i].core, HRL_CORES - i);
        assert_int_equal(seen->notes[i].at, 100 + 5 * (i - 1));
    }
}

static void test_a_lock_is_taken_in_the_order_in_which_cores_came(void **state)
{
    (void)state;
    on_lock = NULL;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        assert_done(run(seed, 1000, prepare_lock));
        assert_lock_taken_in_turn();
    }
}

static void prepare_lock_at_once(void)
{
    hrlp_host_setup.at_once = true;
    (void)alarm(
        10); /* a core that waits must not keep time from passing for the one that has the lock */
    prepare_lock();
}

static void test_a_lock_is_taken_in_that_order_if_cores_run_at_once(void **state)
{
    (void)state;
    on_lock = NULL;
    for (unsigned times = 0; times < 5; times++) {
        assert_done(run(1, 1000, prepare_lock_at_once));
        assert_lock_taken_in_turn();
    }
}

static void note_lock(unsigned core, unsigned lock)
{
    if (lock == 2) {
        assert_true(core == hrlp_core_number());
        note(3);
    }
}

static void test_an_observer_is_told_of_a_lock_taken_and_given(void **state)
{
    (void)state;
    on_lock = note_lock;
    assert_done(run(1, 1000, prepare_lock));
    assert_int_equal(seen->count, 3 * HRL_CORES);
    for (unsigned i = 0; i < HRL_CORES; i++) { /* taken, held, given */
        assert_int_equal(seen->notes[3 * i].what, 3);
        assert_int_equal(seen->notes[3 * i + 1].what, 2);
        assert_int_equal(seen->notes[3 * i + 2].what, 3);
    }
}

static void take_twice(void *argument)
{
    (void)argument;
    (void)hrlp_irq_lock();
    hrlp_lock_take(2);
    hrlp_lock_take(2);
}

static void take_with_interrupts_enabled(void *argument)
{
    (void)argument;
    hrlp_lock_take(2);
}

static void give_what_it_has_not(void *argument)
{
    (void)argument;
    hrlp_lock_give(2);
}

static void take_and_keep(void *argument)
{
    (void)argument;
    (void)hrlp_irq_lock();
    hrlp_lock_take(2);
    hrlp_cores_meet(); /* to which no other comes, as they wait for the lock or are idle */
}

static void (*wrong)(void *argument);

static void prepare_wrong(void)
{
    (void)freopen("/dev/null", "w", stderr);
    (void)signal(SIGABRT, SIG_DFL);
    define(1, 0, 3, wrong);
    if (wrong == take_and_keep) {
        define(0, 0, 3, come_in_turn);
    }
}

static void test_what_a_lock_does_not_allow_aborts(void **state)
{
    void (*const all[])(void *) = {take_twice, take_with_interrupts_enabled, give_what_it_has_not,
                                   take_and_keep};

    (void)state;
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        wrong = all[i];
        assert_true(WIFSIGNALED(run(1, 1000, prepare_wrong)));
    }
}

static void meet(void *argument)
{
    hrlp_irq_state state = hrlp_irq_lock();

    (void)argument;
    for (unsigned i = 0; i < 3; i++) {
        hrlp_host_consume(1 + (10 * hrlp_core_number() + 7 * i) % 30);
        note(2 * i);
        hrlp_cores_meet();
        note(2 * i + 1);
    }
    hrlp_irq_unlock(state);
}

static void prepare_meeting(void)
{
    for (unsigned core = 0; core < HRL_CORES; core++) {
        define(core, 0, 3, meet);
    }
}

static void test_no_core_leaves_a_meeting_before_all_have_come(void **state)
{
    (void)state;
    assert_done(run(6, 1000, prepare_meeting));
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned core = 0; core < HRL_CORES; core++) {
            for (unsigned other = 0; other < HRL_CORES; other++) {
                assert_true(when(core, 2 * i + 1) >= when(other, 2 * i));
            }
        }
    }
}

static HRLP_PER_CORE unsigned own;
static HRLP_PER_CORE unsigned also_own = 5;

static void use_own(void *argument)
{
    (void)argument;
    own = 100 + hrlp_core_number();
    hrlp_host_consume(10);
    also_own += *(unsigned *)hrlp_core_object(&own, (hrlp_core_number() + 1) % HRL_CORES);
    note(also_own);
}

static void prepare_own(void)
{
    for (unsigned core = 0; core < HRL_CORES; core++) {
        define(core, 0, 3, use_own);
    }
}

static void test_each_core_has_its_own_and_finds_that_of_others(void **state)
{
    (void)state;
    assert_done(run(7, 1000, prepare_own));
    for (unsigned core = 0; core < HRL_CORES; core++) {
        assert_int_equal(when(core, 105 + (core + 1) % HRL_CORES), 10);
    }
}

/* ---- the end ---------------------------------------------------------------------------------- */

static void prepare_work_beyond_the_end(void)
{
    define(1, 0, 3, work_long);
}

static void test_the_run_ends_when_all_cores_are_idle(void **state)
{
    (void)state;
    assert_done(run(8, 600, prepare_work_beyond_the_end));
    assert_int_equal(seen->end, 1000);
    assert_done(run(8, 2000, prepare_work_beyond_the_end));
    assert_int_equal(seen->end, 2000);
}

static void prepare_to_be_given_up(void)
{
    hrlp_host_setup.limit = 700;
    define(1, 0, 3, work_long);
}

static void test_a_busy_run_is_given_up_by_the_core_that_works(void **state)
{
    (void)state;
    assert_int_equal(run(9, 600, prepare_to_be_given_up), 0);
    assert_string_equal(seen->status, "busy");
    assert_int_equal(seen->end, 700);
}

/* ---- time slices ------------------------------------------------------------------------------ */

static void share(void *argument)
{
    note((unsigned)(uintptr_t)argument);
    hrlp_host_consume(5 * SLICE / 2);
    note(10 + (unsigned)(uintptr_t)argument);
}

static void prepare_slices(void)
{
    for (unsigned core = 0; core < HRL_CORES; core++) {
        define(core, 0, 3, share);
        define(core, 1, 3, share);
    }
}

static void test_each_core_slices_its_own_time(void **state)
{
    (void)state;
    assert_done(run(10, 50 * SLICE, prepare_slices));
    for (unsigned core = 0; core < HRL_CORES; core++) {
        assert_int_equal(when(core, 0), 0);
        assert_int_equal(when(core, 1), SLICE);
        assert_int_equal(when(core, 10), 9 * SLICE / 2); /* of slices 0, 2 and half of 4 */
        assert_int_equal(when(core, 11), 5 * SLICE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_token_goes_round_the_cores),
        cmocka_unit_test(test_a_run_can_be_repeated_and_another_seed_is_another_run),
        cmocka_unit_test(test_turns_are_as_short_as_a_call),
        cmocka_unit_test(test_cores_work_side_by_side),
        cmocka_unit_test(test_the_clock_is_monotone_across_cores_and_its_wrap),
        cmocka_unit_test(test_a_core_that_works_is_interrupted),
        cmocka_unit_test(test_a_core_raises_lines_of_the_others),
        cmocka_unit_test(test_a_lock_is_taken_in_the_order_in_which_cores_came),
        cmocka_unit_test(test_a_lock_is_taken_in_that_order_if_cores_run_at_once),
        cmocka_unit_test(test_an_observer_is_told_of_a_lock_taken_and_given),
        cmocka_unit_test(test_what_a_lock_does_not_allow_aborts),
        cmocka_unit_test(test_no_core_leaves_a_meeting_before_all_have_come),
        cmocka_unit_test(test_each_core_has_its_own_and_finds_that_of_others),
        cmocka_unit_test(test_the_run_ends_when_all_cores_are_idle),
        cmocka_unit_test(test_a_busy_run_is_given_up_by_the_core_that_works),
        cmocka_unit_test(test_each_core_slices_its_own_time),
    };

    share_what_is_seen();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
