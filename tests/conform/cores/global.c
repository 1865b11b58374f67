/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "global.h"
#include "core.h"
#include "hrlp_cell.h"
#include "hrlp_host_jobs.h"
#include "on_cores.h"
#include <hrl/alarm.h>
#include <hrl/mutex.h>
#include <hrl/semaphore.h>
#include <hrl/time.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Threads that several cores may run. Whenever a core gives the lock of services all of them are looked at: none waits while one of
 * its cores runs a less urgent thread and is not about to look, and no two cores run the same.
 */
enum { GLOBALS = 2 * HRL_CORES + 1, SEEDS = 30, ALL = (1 << HRL_CORES) - 1, DURATION = 20000 };

static uint64_t global_stacks[GLOBALS][STACK / 8];
static struct hrli_global_timeout timeouts[GLOBALS][HRL_CORES];
static struct hrl_thread globals[GLOBALS];
static struct hrl_semaphore tokens;
static unsigned in_use; /* so many of `globals` */

static void define_global(unsigned which, unsigned cores, unsigned priority,
                          void (*entry)(void *argument))
{
    globals[which] = (struct hrl_thread){.name = "global",
                                         .stack = global_stacks[which],
                                         .stack_bytes = STACK,
                                         .entry = entry,
                                         .argument = (void *)(uintptr_t)which,
                                         .ready.base_priority = (hrli_kept_level)priority,
                                         .affinity = (hrli_number)cores,
                                         .timeouts = timeouts[which]};
    in_use = which >= in_use ? which + 1 : in_use;
    hrl_thread_start(&globals[which]);
}

/* ---- what holds at every step ----------------------------------------------------------------- */

static const struct hrli_core *core_of(unsigned core)
{
    return hrlp_core_object(&hrli_core, core);
}

static void broken(const char *what, unsigned core, unsigned which)
{
    fprintf(stderr, "core %u, thread %u, at %u: %s\n", core, which, (unsigned)hrlp_host_now(),
            what);
    abort();
}

static bool may_run(const struct hrl_thread *thread, unsigned core)
{
    return (thread->affinity >> core & 1u) != 0;
}

static void look_at_waiting(unsigned which)
{
    const struct hrl_thread *thread = &globals[which];
    bool is_coming =
        thread->on != 0 || (thread->claimed != 0 && core_of(thread->claimed - 1u)->looks);

    for (unsigned core = 0; core < HRL_CORES; core++) {
        const struct hrli_core *one = core_of(core);

        if (may_run(thread, core) && one->running->ready.priority < thread->ready.priority &&
            !one->looks && !is_coming) {
            broken("runs something less urgent", core, which);
        }
    }
}

static void look_at_running(unsigned core)
{
    const struct hrl_thread *running = core_of(core)->running;

    if (running->affinity == 0) {
        return;
    }
    if (!may_run(running, core)) {
        broken("not allowed to run it", core, (unsigned)(running - globals));
    }
    if (running->on != core + 1u) {
        broken("another core has it", core, (unsigned)(running - globals));
    }
}

static void look_at_all(unsigned giver, unsigned lock)
{
    (void)giver;
    if (lock != 0) {
        return;
    }
    for (unsigned core = 0; core < HRL_CORES; core++) {
        if (core_of(core)->running == NULL) {
            return; /* it starts */
        }
    }
    for (unsigned core = 0; core < HRL_CORES; core++) {
        look_at_running(core);
    }
    for (unsigned which = 0; which < in_use; which++) {
        if (globals[which].is_offered) {
            look_at_waiting(which);
        }
    }
}

/* The instant of the first note of `what`, on whatever core. */
static hrl_counts instant(unsigned what)
{
    for (unsigned i = 0; i < seen->count; i++) {
        if (seen->notes[i].what == what) {
            return seen->notes[i].at;
        }
    }
    fail_msg("%u was not noted", what);
    return 0;
}

static unsigned count(unsigned what)
{
    unsigned found = 0;

    for (unsigned i = 0; i < seen->count; i++) {
        found += seen->notes[i].what == what;
    }
    return found;
}

/* On how many cores `what` was noted. */
static unsigned cores_of(unsigned what)
{
    unsigned cores = 0;

    for (unsigned i = 0; i < seen->count; i++) {
        cores |= seen->notes[i].what == what ? 1u << seen->notes[i].core : 0;
    }
    return (unsigned)__builtin_popcount(cores);
}

/* ---- the most urgent run ---------------------------------------------------------------------- */

static void work(void *which)
{
    hrlp_host_consume(100);
    note((unsigned)(uintptr_t)which);
}

/* One more than there are cores, the more urgent the higher the number. */
static void prepare_one_too_many(void)
{
    hrlp_host_setup.gives_lock = look_at_all;
    for (unsigned which = 0; which <= HRL_CORES; which++) {
        define_global(which, ALL, 2 + which, work);
    }
}

static void test_the_most_urgent_run_one_a_core(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, 1000, prepare_one_too_many));
        assert_int_equal(instant(0), 200);
        for (unsigned which = 1; which <= HRL_CORES; which++) {
            assert_int_equal(instant(which), 100);
        }
    }
}

static void work_later(void *which)
{
    hrl_thread_sleep_until(50);
    work(which);
}

/* At 50 the least urgent gives its core to one that has slept, and goes on where there is a core first: at 100. */
static void prepare_preemption(void)
{
    hrlp_host_setup.gives_lock = look_at_all;
    define_global(HRL_CORES, ALL, 20, work_later);
    for (unsigned which = 0; which < HRL_CORES; which++) {
        define_global(which, ALL, 2 + which, work);
    }
}

static void test_one_that_was_preempted_goes_on_where_there_is_a_core(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, 1000, prepare_preemption));
        assert_int_equal(instant(HRL_CORES), 150);
        assert_int_equal(instant(0), 150);
        for (unsigned which = 1; which < HRL_CORES; which++) {
            assert_int_equal(instant(which), 100);
        }
    }
}

/* Core 1 is another's; the thread for cores 0 and 1 goes where the work is less urgent. */
static void prepare_affinities(void)
{
    hrlp_host_setup.gives_lock = look_at_all;
    define(0, 0, 9, work);
    define_global(1, 1, 3, work);
    define_global(2, 2, 5, work);
    define_global(3, 3, 4, work);
}

static void test_a_thread_runs_on_its_cores_only(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, 1000, prepare_affinities));
        assert_int_equal(instant(0), 100);
        assert_int_equal(instant(2), 100);
        assert_true(instant(1) == 200 || instant(1) == 300); /* core 0 is free at 100, or has 3 */
        assert_int_equal(instant(3), 200);
    }
}

static void take_turns(void *which)
{
    for (unsigned round = 0; round < 3; round++) {
        hrlp_host_consume(10);
        note((unsigned)(uintptr_t)which);
        hrl_thread_yield();
    }
}

static void prepare_turns(void)
{
    hrlp_host_setup.gives_lock = look_at_all;
    for (unsigned which = 0; which < GLOBALS; which++) {
        define_global(which, ALL, 3, take_turns);
    }
}

static void test_equals_take_turns(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, 1000, prepare_turns));
        for (unsigned which = 0; which < GLOBALS; which++) {
            assert_int_equal(instant(which), 10 + which / HRL_CORES * 10);
            assert_int_equal(count(which), 3);
        }
    }
}

/* A thread of one core gives way to those of several, and to its own equals; a more urgent one asks meanwhile. */
enum { OWN = 50, READY_THEN = 60 };

static void take_own_turns(void *which)
{
    for (unsigned round = 0; round < 3; round++) {
        hrlp_host_consume(10);
        note(OWN + hrlp_core_number() * 2 + (unsigned)(uintptr_t)which);
        hrl_thread_yield();
    }
}

static void ask(void *argument)
{
    (void)argument;
    hrl_thread_sleep_for(5);
    for (unsigned which = 0; which < GLOBALS; which++) {
        if (hrl_thread_state_of(&globals[which]) == HRL_THREAD_READY) {
            note(READY_THEN);
        }
    }
}

static void prepare_own_turns(void)
{
    hrlp_host_setup.gives_lock = look_at_all;
    for (unsigned which = 0; which < HRL_CORES + 1; which++) {
        define_global(which, ALL, 3, take_turns);
    }
    for (unsigned core = 0; core < HRL_CORES; core++) {
        define(core, 0, 3, take_own_turns);
    }
    define(0, 1, 5, ask);
}

static void test_equals_of_one_core_take_turns_with_them(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, 1000, prepare_own_turns));
        for (unsigned which = 0; which < HRL_CORES + 1; which++) {
            assert_int_equal(count(which), 3);
        }
        for (unsigned core = 0; core < HRL_CORES; core++) {
            assert_int_equal(count(OWN + core * 2), 3);
        }
        assert_int_not_equal(count(READY_THEN), 0);
    }
}

/* ---- handed over in the moment in which it waits ----------------------------------------------- */

static struct hrl_semaphore ring[GLOBALS];

/* As many go round as there are cores, so that a thread is often given one before it has left its core. */
static void hand_on(void *argument)
{
    unsigned which = (unsigned)(uintptr_t)argument;

    for (unsigned round = 0; round < 10; round++) {
        (void)hrl_semaphore_take(&ring[which], HRL_FOREVER);
        note(which);
        (void)hrl_semaphore_give(&ring[(which + 1) % GLOBALS]);
    }
}

static void prepare_ring(void)
{
    hrlp_host_setup.gives_lock = look_at_all;
    hrlp_host_setup.turn_calls = 1 + (unsigned)hrlp_host_setup.seed % 3;
    for (unsigned which = 0; which < GLOBALS; which++) {
        ring[which] =
            (struct hrl_semaphore)HRL_SEMAPHORE_INIT(which < HRL_CORES ? 1u : 0u, HRL_CORES);
        define_global(which, ALL, 3 + which % 2, hand_on);
    }
}

static void test_a_thread_goes_on_elsewhere_when_it_has_left_its_core(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, 1000, prepare_ring));
        for (unsigned which = 0; which < GLOBALS; which++) {
            assert_int_equal(count(which), 10);
        }
    }
}

/* ---- everything at once ----------------------------------------------------------------------- */

/* A thread's own numbers. */
static unsigned draw(uint32_t *drawn, unsigned below)
{
    *drawn = *drawn * 1664525u + 1013904223u;
    return (*drawn >> 8) % below;
}

static void wait_no_shorter(unsigned span, bool in_queue)
{
    hrl_counts until = hrl_now() + span;
    enum hrl_status status = HRL_TIMED_OUT;

    if (in_queue) {
        status = hrl_semaphore_take(&tokens, until);
    } else {
        hrl_thread_sleep_for(span);
    }
    if (status != HRL_OK &&
        (status != HRL_TIMED_OUT || hrl_now() + HRLP_CELL_EARLY_COUNTS < until)) {
        broken("waited for too short", hrlp_core_number(), status);
    }
}

static void do_anything(void *which)
{
    uint32_t drawn = (uint32_t)(uintptr_t)which * 77u + (uint32_t)hrlp_host_setup.seed;

    for (unsigned step = 0; step < 12; step++) {
        switch (draw(&drawn, 6)) {
        case 0:
        case 1:
            wait_no_shorter(1 + draw(&drawn, 60), draw(&drawn, 2) == 0);
            break;
        case 2:
            (void)hrl_semaphore_give(&tokens);
            break;
        case 3:
            hrl_thread_yield();
            break;
        default:
            hrlp_host_consume(1 + draw(&drawn, 30));
            break;
        }
        note(100 + (unsigned)(uintptr_t)which);
    }
    note((unsigned)(uintptr_t)which);
}

/* Starts again what has ended. */
static void start_again(void *argument)
{
    (void)argument;
    for (unsigned times = 0; times < 3; times++) {
        for (unsigned which = 0; which < GLOBALS; which++) {
            assert_int_equal(hrl_thread_join(&globals[which], HRL_FOREVER), HRL_OK);
            hrl_thread_start(&globals[which]);
        }
    }
}

static void disturb(void *argument)
{
    uint32_t drawn = (uint32_t)(uintptr_t)argument + (uint32_t)hrlp_host_setup.seed;

    for (unsigned step = 0; step < 40; step++) {
        hrl_thread_sleep_for(1 + draw(&drawn, 100));
        (void)hrl_semaphore_give(&tokens);
        hrlp_host_consume(1 + draw(&drawn, 20));
    }
}

static void prepare_anything(void)
{
    uint32_t drawn = (uint32_t)hrlp_host_setup.seed;

    hrlp_host_setup.gives_lock = look_at_all;
    hrlp_host_setup.turn_calls = 1 + draw(&drawn, 8);
    tokens = (struct hrl_semaphore)HRL_SEMAPHORE_INIT(0, 100);
    for (unsigned which = 0; which < GLOBALS; which++) {
        define_global(which, 1 + draw(&drawn, ALL), 1 + draw(&drawn, 8), do_anything);
    }
    for (unsigned core = 0; core < HRL_CORES; core++) {
        define(core, 1, 1 + draw(&drawn, 10), disturb);
    }
    define(0, 0, 4, start_again);
}

static void test_whatever_threads_do_the_most_urgent_run(void **state)
{
    unsigned moved = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, DURATION, prepare_anything));
        for (unsigned which = 0; which < GLOBALS; which++) {
            assert_int_equal(count(which), 4);
            assert_int_equal(count(100 + which), 4 * 12);
            moved += cores_of(100 + which) > 1;
        }
    }
    assert_true(moved > SEEDS); /* and cores hand threads over */
}

/* ---- what is not for them --------------------------------------------------------------------- */

static struct hrl_mutex mutex = HRL_MUTEX_INIT;
static void (*wrong)(void);

static void suspend(void)
{
    hrl_thread_suspend(&globals[0]);
}

static void resume(void)
{
    hrl_thread_resume(&globals[0]);
}

static void set_priority(void)
{
    hrl_thread_set_priority(&globals[0], 4);
}

static void start_suspended(void)
{
    hrl_thread_start_suspended(&globals[0]);
}

static void lock(void)
{
    (void)hrl_mutex_lock(&mutex, HRL_FOREVER);
}

/* In place of the port's, which ends the process before it says what was reached. */
_Noreturn void hrl_assert_hook(const char *reason, const char *file, int line)
{
    (void)file;
    (void)line;
    finish(reason);
    abort();
}

static void do_wrong(void *argument)
{
    (void)argument;
    wrong();
}

static void prepare_wrong(void)
{
    define_global(0, ALL, 3, do_wrong);
}

static void test_what_is_for_threads_of_one_core_stops(void **state)
{
    static const struct {
        void (*call)(void);
        const char *reason;
    } all[] = {
        {suspend, "hrl_thread_suspend: for threads of one core"},
        {resume, "hrl_thread_resume: for threads of one core"},
        {set_priority, "hrl_thread_set_priority: for threads of one core"},
        {start_suspended, "hrl_thread_start_suspended: for threads of one core"},
        {lock, "hrl_mutex_lock: for threads of one core"},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        wrong = all[i].call;
        assert_int_equal(run(1, 1000, prepare_wrong), 0);
        assert_string_equal(seen->status, all[i].reason);
    }
}

/* ---- alarms -------------------------------------------------------------------------------------- */

enum { EXPIRIES = 20, APART = 40 };
static struct hrl_semaphore given = HRL_SEMAPHORE_INIT(0, EXPIRIES);
static struct hrl_alarm own = HRL_ALARM_INIT_GIVE(given);

/* Wherever it runs: the alarm belongs to the core on which it is started first. */
static void restart_an_alarm(void *argument)
{
    (void)argument;
    for (unsigned i = 0; i < EXPIRIES; i++) {
        hrl_alarm_start(&own, hrl_now() + APART);
        hrlp_host_consume(i % 3 * APART / 2);
        (void)hrl_alarm_stop(&own);
        hrl_alarm_start(&own, hrl_now() + APART);
        hrl_semaphore_take(&given, HRL_FOREVER);
        note(i);
    }
    if (hrl_thread_run_time(hrl_thread_current()) < EXPIRIES / 3 * APART / 2) {
        note(EXPIRIES);
    }
}

static void compete(void *argument)
{
    (void)argument;
    for (unsigned i = 0; i < 2 * EXPIRIES; i++) {
        hrlp_host_consume(30);
        hrl_thread_sleep_for(25);
    }
    if (hrl_thread_run_time(&globals[0]) < EXPIRIES / 3 * APART / 2) { /* it has ended by now */
        note(EXPIRIES);
    }
}

static void prepare_restarts(void)
{
    define_global(0, ALL, 3, restart_an_alarm);
    for (unsigned core = 0; core < HRL_CORES; core++) {
        define(core, 0, 4, compete);
    }
}

static void test_threads_of_several_cores_start_and_stop_alarms(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, 20000, prepare_restarts));
        for (unsigned i = 0; i < EXPIRIES; i++) {
            assert_int_equal(seen->notes[i].what, i);
        }
        assert_int_equal(seen->count, EXPIRIES);
    }
}

/* ---- threads of one core beside them ----------------------------------------------------------- */

enum { KEPT_BACK = 300 };

static void work_on(void *argument)
{
    for (unsigned i = 0; i < 10; i++) {
        hrlp_host_consume(50);
        note((unsigned)(uintptr_t)argument);
    }
}

/* Core 1 sees it at its next dispatch. */
static void keep_back(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(100);
    hrl_thread_suspend(&threads[1][1]);
    hrl_thread_sleep_until(100 + KEPT_BACK);
    hrl_thread_resume(&threads[1][1]);
}

static void prepare_keeping_back(void)
{
    define(1, 1, 3, work_on);
    define_global(0, 1, 4, keep_back);
}

static void test_a_thread_of_another_core_is_suspended_and_goes_on(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, DURATION, prepare_keeping_back));
        assert_int_equal(count(1), 10);
        assert_int_equal(seen->notes[seen->count - 1].at, 10 * 50 + KEPT_BACK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_most_urgent_run_one_a_core),
        cmocka_unit_test(test_one_that_was_preempted_goes_on_where_there_is_a_core),
        cmocka_unit_test(test_a_thread_runs_on_its_cores_only),
        cmocka_unit_test(test_equals_take_turns),
        cmocka_unit_test(test_equals_of_one_core_take_turns_with_them),
        cmocka_unit_test(test_a_thread_goes_on_elsewhere_when_it_has_left_its_core),
        cmocka_unit_test(test_whatever_threads_do_the_most_urgent_run),
        cmocka_unit_test(test_a_thread_of_another_core_is_suspended_and_goes_on),
        cmocka_unit_test(test_what_is_for_threads_of_one_core_stops),
        cmocka_unit_test(test_threads_of_several_cores_start_and_stop_alarms),
    };

    share_what_is_seen();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
