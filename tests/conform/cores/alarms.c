/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_host_jobs.h"
#include "on_cores.h"
#include <hrl/alarm.h>
#include <hrl/semaphore.h>
#include <hrl/time.h>

/* Alarms that other cores start and stop: they expire on the core that started them first. In runs of several seeds. */
enum {
    SEEDS = ON_TICKS ? 3 : 20,
    DURATION = 20000,
    PERIOD = 50,
    LATE = 15,
    GRAIN = ON_TICKS ? SLICE : 1
};
enum { EXPIRES = 1000, STOPPED, STARTED, ENDED = 10 };

static struct hrl_semaphore tokens = HRL_SEMAPHORE_INIT(0, 1000);

static void note_expiries(void *argument, uint32_t expiries)
{
    (void)argument;
    note(EXPIRES + 100 * expiries);
}

static struct hrl_alarm notes = HRL_ALARM_INIT_CALL(note_expiries, NULL);
static struct hrl_alarm gives = HRL_ALARM_INIT_GIVE(tokens);
static struct hrl_alarm wakes = HRL_ALARM_INIT;

/* How often it has expired from `from` on, before `to`; on core 1 only. */
static unsigned expiries_between(hrl_counts from, hrl_counts to)
{
    unsigned count = 0;

    for (unsigned i = 0; i < seen->count; i++) {
        const struct note *one = &seen->notes[i];

        if (one->what >= EXPIRES + 100) {
            assert_int_equal(one->core, 1);
            count += one->at >= from && one->at < to ? (one->what - EXPIRES) / 100 : 0;
        }
    }
    return count;
}

/* ---- started, stopped and started anew ------------------------------------------------------------ */

static void start_first(void *argument)
{
    (void)argument;
    hrl_alarm_start_periodic(&notes, 10 * GRAIN, HRL_PERIOD_COUNTS(PERIOD * GRAIN),
                             HRL_ALARM_FOREVER);
}

static void stop_and_start(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until((10 + 10 * PERIOD + PERIOD / 2) * GRAIN);
    note(hrl_alarm_stop(&notes) && !hrl_alarm_stop(&notes) ? STOPPED : 0);
    hrl_thread_sleep_until(40 * PERIOD * GRAIN);
    hrl_alarm_start_periodic(&notes, 50 * PERIOD * GRAIN, HRL_PERIOD_COUNTS(2 * PERIOD * GRAIN), 5);
}

static void prepare_stop_and_start(void)
{
    define(1, 0, 3, start_first);
    define(0, 0, 3, stop_and_start);
}

static void test_another_core_stops_and_starts_an_alarm(void **state)
{
    const hrl_counts end = (hrl_counts)80 * PERIOD * GRAIN;

    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        hrl_counts stopped;

        assert_done(run(seed, end, prepare_stop_and_start));
        stopped = when(0, STOPPED);
        assert_int_equal(expiries_between(0, stopped), 11);
        assert_int_equal(expiries_between(stopped, end), 5);
        assert_int_equal(expiries_between(50 * PERIOD * GRAIN, 50 * PERIOD * GRAIN + LATE), 1);
        assert_int_equal(expiries_between(58 * PERIOD * GRAIN, 58 * PERIOD * GRAIN + LATE), 1);
    }
}

/* ---- stopped before it was started ------------------------------------------------------------------ */

static void stop_first(void *argument)
{
    (void)argument;
    note(hrl_alarm_stop(&notes) ? 0 : STOPPED);
}

static void start_later(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(20 * GRAIN);
    hrl_alarm_start(&notes, 40 * GRAIN);
    note(hrl_alarm_next(&notes) == 40 * GRAIN ? STARTED : 0);
}

static void prepare_stop_first(void)
{
    define(0, 0, 3, stop_first);
    define(1, 0, 3, start_later);
}

static void test_a_stop_before_the_first_start_leaves_an_alarm_to_any_core(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, 100 * GRAIN, prepare_stop_first));
        (void)when(0, STOPPED);
        (void)when(1, STARTED);
        assert_int_equal(expiries_between(40 * GRAIN, 40 * GRAIN + LATE), 1);
    }
}

/* ---- a watchdog --------------------------------------------------------------------------------------- */

static void kick(void *argument)
{
    (void)argument;
    for (unsigned i = 0; i < 20; i++) {
        hrl_thread_sleep_until((hrl_counts)(i + 1) * PERIOD / 2 * GRAIN);
        hrl_alarm_start(&notes, ((hrl_counts)(i + 1) * PERIOD / 2 + PERIOD) * GRAIN);
    }
}

static void prepare_watchdog(void)
{
    define(1, 0, 3, start_first);
    for (unsigned core = 0; core < HRL_CORES; core++) {
        if (core != 1) {
            define(core, 0, 3, kick);
        }
    }
}

/* It is started for the last time at the 20th half of a period, and expires a whole one later. */
static void test_an_alarm_that_others_start_again_and_again_expires_once(void **state)
{
    const hrl_counts end = 40 * PERIOD * GRAIN, last = 11 * PERIOD * GRAIN;

    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, end, prepare_watchdog));
        assert_int_equal(expiries_between(PERIOD / 2 * GRAIN, last), 0);
        assert_int_equal(expiries_between(last, last + LATE), 1);
        assert_int_equal(expiries_between(last + LATE, end), 0);
    }
}

/* ---- an instant that has passed ------------------------------------------------------------------------- */

static void start_in_the_past(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(100 * GRAIN);
    hrl_alarm_start_periodic(&notes, 0, HRL_PERIOD_COUNTS(40 * GRAIN), 4);
    note(STARTED);
}

/* What core 1 does meanwhile holds dispatch back for no longer than its sections. */
static void work(void *argument)
{
    (void)argument;
    hrl_alarm_start(&notes, (hrl_counts)1000000 * GRAIN);
    for (unsigned i = 0; i < 40; i++) {
        hrlp_host_consume(5 * GRAIN);
    }
}

static void prepare_past(void)
{
    define(1, 0, 3, work);
    define(0, 0, 3, start_in_the_past);
}

static void test_what_has_passed_at_such_a_start_comes_at_once_and_together(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        hrl_counts started;

        assert_done(run(seed, 300 * GRAIN, prepare_past));
        started = when(0, STARTED);
        assert_in_range(when(1, EXPIRES + 300), 100 * GRAIN, started + LATE);
        assert_in_range(when(1, EXPIRES + 100), 120 * GRAIN, 120 * GRAIN + LATE);
        assert_int_equal(expiries_between(0, 300 * GRAIN), 4);
    }
}

/* ---- all cores at one alarm ------------------------------------------------------------------------------- */

enum { ROUNDS = 60, LAST = 7 };
static unsigned char done[HRL_CORES];

static uint32_t draw(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % below;
}

/* Then the last of them starts it for so many expiries. */
static void use_as_drawn(void *argument)
{
    uint32_t seed = (uint32_t)(hrlp_host_setup.seed * 64 + hrlp_core_number());

    (void)argument;
    hrl_thread_sleep_until(10);
    for (unsigned i = 0; i < ROUNDS; i++) {
        switch (draw(&seed, 4)) {
        case 0:
            (void)hrl_alarm_stop(&gives);
            break;
        case 1:
            hrl_alarm_start(&gives, hrl_now() + draw(&seed, 20));
            break;
        default:
            hrl_alarm_start_periodic(&gives, hrl_now() + draw(&seed, 30) - 10,
                                     HRL_PERIOD_COUNTS(5 + draw(&seed, 20)), draw(&seed, 4));
        }
        if (draw(&seed, 2) != 0) {
            hrl_thread_sleep_for(draw(&seed, 30));
        } else {
            hrlp_host_consume(draw(&seed, 10));
        }
    }
    done[hrlp_core_number()] = 1;
}

static void settle(void *argument)
{
    const unsigned late = ON_TICKS ? 2 * SLICE : 100;
    unsigned count = 0;

    (void)argument;
    for (unsigned core = 0; core < HRL_CORES;) {
        hrl_thread_sleep_for(late);
        core += done[core];
    }
    (void)hrl_alarm_stop(&gives);
    hrl_thread_sleep_for(late);
    while (hrl_semaphore_take(&tokens, HRL_NO_WAIT) == HRL_OK) {
    }
    hrl_thread_sleep_for(late);
    if (hrl_semaphore_count(&tokens) != 0) {
        return; /* it has expired, though all have stopped it */
    }
    hrl_alarm_start_periodic(&gives, hrl_now() + 20, HRL_PERIOD_COUNTS(10), LAST);
    while (hrl_semaphore_take(&tokens, hrl_now() + late) == HRL_OK) {
        count++;
    }
    note(ENDED + count);
}

static void prepare_drawn(void)
{
    for (unsigned core = 0; core < HRL_CORES; core++) {
        define(core, 0, 3, use_as_drawn);
    }
    define(HRL_CORES - 1, 1, 4, settle);
}

static void test_the_last_call_of_all_cores_holds(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3 * SEEDS; seed++) {
        assert_done(run(seed, ON_TICKS ? 200 * SLICE : DURATION, prepare_drawn));
        (void)when(HRL_CORES - 1, ENDED + LAST);
    }
}

/* ---- threads that wait ------------------------------------------------------------------------------------ */

static void wait_for_it(void *argument)
{
    uint32_t expiries;

    (void)argument;
    while (hrl_alarm_wait(&wakes, &expiries, hrl_now() + 20 * PERIOD * GRAIN) == HRL_OK) {
        note(expiries);
    }
}

static void start_for_others(void *argument)
{
    (void)argument;
    hrl_alarm_start(&wakes, 1000000 * GRAIN);
    hrl_thread_sleep_until(3 * PERIOD * GRAIN);
}

static void start_for_them_anew(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(PERIOD * GRAIN);
    hrl_alarm_start_periodic(&wakes, 2 * PERIOD * GRAIN, HRL_PERIOD_COUNTS(PERIOD * GRAIN), 6);
}

static void prepare_waiting(void)
{
    define(1, 0, 3, start_for_others);
    define(0, 0, 3, start_for_them_anew);
    define(0, 1, 4, wait_for_it);
}

static void test_a_thread_waits_for_the_alarm_of_another_core(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_done(run(seed, 60 * PERIOD * GRAIN, prepare_waiting));
        assert_int_equal(seen->count, 6);
        for (unsigned i = 0; i < 6; i++) {
            const hrl_counts instant = (hrl_counts)(2 + i) * PERIOD * GRAIN;

            assert_int_equal(seen->notes[i].what, 1);
            assert_int_equal(seen->notes[i].core, 0);
            assert_in_range(seen->notes[i].at, instant, instant + LATE);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_another_core_stops_and_starts_an_alarm),
        cmocka_unit_test(test_a_stop_before_the_first_start_leaves_an_alarm_to_any_core),
        cmocka_unit_test(test_an_alarm_that_others_start_again_and_again_expires_once),
        cmocka_unit_test(test_what_has_passed_at_such_a_start_comes_at_once_and_together),
        cmocka_unit_test(test_the_last_call_of_all_cores_holds),
        cmocka_unit_test(test_a_thread_waits_for_the_alarm_of_another_core),
    };

    share_what_is_seen();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
