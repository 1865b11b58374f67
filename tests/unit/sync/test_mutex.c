/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/mutex.h>
#include <hrl/thread.h>
#include <hrl/time.h>

HRL_MUTEX_DEFINE(first);
HRL_MUTEX_DEFINE(second);
HRL_MUTEX_DEFINE_CEILING(high, 9);

static void set_up(void)
{
    static const struct hrl_mutex inheriting, nine = {.ceiling = 9};

    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    first = second = inheriting;
    high = nine;
}

static uint32_t level_of(const struct hrl_thread *thread)
{
    return thread->ready.priority;
}

/* What a thread is told to do, a character a step; digits are hundreds of counts, z the next multiple of 100. */
static void obey(void *argument)
{
    struct hrl_thread *self = hrl_thread_current();
    hrl_counts next = 0;

    for (const char *step = argument; *step != '\0'; step++) {
        if (*step == 'a' || *step == 'b' || *step == 'c') {
            struct hrl_mutex *mutex = *step == 'a' ? &first : *step == 'b' ? &second : &high;
            assert_int_equal(hrl_mutex_lock(mutex, HRL_FOREVER), HRL_OK);
            assert_ptr_equal(hrl_mutex_owner(mutex), self);
        } else if (*step == 'A' || *step == 'B' || *step == 'C') {
            hrl_mutex_unlock(*step == 'A' ? &first : *step == 'B' ? &second : &high);
        } else if (*step == 'z') {
            next += 100;
            hrl_thread_sleep_until(next);
        } else if (*step == 't') { /* gives up */
            assert_int_equal(hrl_mutex_lock(&first, hrl_now() + 150), HRL_TIMED_OUT);
        } else if (*step == 'n') {
            assert_int_equal(hrl_mutex_lock(&first, HRL_NO_WAIT), HRL_WOULD_WAIT);
        } else if (*step == '.') {
            sut_note(hrl_thread_name(self));
        } else {
            hrlp_host_consume(100 * (hrl_counts)(*step - '0'));
        }
    }
}

static void test_one_after_the_other(void **state)
{
    (void)state;
    set_up();
    sut_start("low", 1, obey, "a5.A.");
    sut_start("a", 3, obey, "za.A");
    sut_start("b", 4, obey, "zna.A");
    sut_start("c", 3, obey, "za.A");
    sut_run(10000);
    assert_string_equal(sut_notes, "low b a c low ");
    assert_null(first.owner);
    assert_false(first.counts);
}

/* Without inheritance "mid" would run between. */
static void test_the_owner_inherits(void **state)
{
    (void)state;
    set_up();
    sut_start("low", 1, obey, "a5.A.");
    sut_start("mid", 5, obey, "zz.");
    sut_start("high", 9, obey, "za.A.");
    sut_run(10000);
    assert_string_equal(sut_notes, "low high high mid low ");
}

static void test_inheritance_is_transitive(void **state)
{
    struct hrl_thread *low, *mid;

    (void)state;
    set_up();
    low = sut_start("low", 1, obey, "a4.A.");
    mid = sut_start("mid", 2, obey, "zba.AB.");
    sut_start("noise", 5, obey, "zzz.");
    sut_start("high", 9, obey, "zzb.B.");
    sut_run(10000);
    assert_string_equal(sut_notes, "low mid high high noise mid low ");
    assert_int_equal(level_of(low), 1);
    assert_int_equal(level_of(mid), 2);
}

static void test_a_level_is_kept_while_a_thread_waits_for_another_mutex(void **state)
{
    (void)state;
    set_up();
    sut_start("low", 1, obey, "ab4.B.1A.");
    sut_start("b", 8, obey, "zb.B");
    sut_start("noise", 5, obey, "zzzz.");
    sut_start("a", 7, obey, "za.A");
    sut_run(10000);
    assert_string_equal(sut_notes, "low b low a noise low ");
}

static void test_a_waiter_that_gives_up_lends_no_more(void **state)
{
    struct hrl_thread *low;

    (void)state;
    set_up();
    low = sut_start("low", 1, obey, "azzz1.A.");
    sut_start("noise", 5, obey, "zzz2.");
    sut_start("high", 9, obey, "zt.");
    sut_run(10000);
    assert_string_equal(sut_notes, "high noise low low ");
    assert_int_equal(level_of(low), 1);
    assert_false(first.counts);
    assert_null(low->held);
}

static void test_a_ceiling_holds_at_once(void **state)
{
    (void)state;
    set_up();
    sut_start("low", 1, obey, "c4.C.");
    sut_start("same", 9, obey, "z.");
    sut_start("above", 10, obey, "zz.");
    sut_run(10000);
    assert_string_equal(sut_notes, "above low same low ");
    assert_null(high.owner);
}

/* Its owner sleeps, so that a thread has to wait for a mutex with a ceiling. */
static void test_the_next_owner_has_the_ceiling_too(void **state)
{
    (void)state;
    set_up();
    sut_start("low", 1, obey, "czz.C.");
    sut_start("next", 2, obey, "zc3.C.");
    sut_start("noise", 5, obey, "zzz.");
    sut_run(10000);
    assert_string_equal(sut_notes, "low next noise next low ");
}

static struct hrl_thread *waiting;

static void raise_waiting(void *argument)
{
    hrl_thread_sleep_for(200);
    hrl_thread_set_priority(waiting, 8);
    obey(argument);
}

static void test_a_new_level_of_a_waiter_reaches_the_owner(void **state)
{
    (void)state;
    set_up();
    sut_start("low", 1, obey, "a5.A.");
    waiting = sut_start("waiting", 2, obey, "za.A");
    sut_start("noise", 5, obey, "zzz.");
    sut_start("raise", 9, raise_waiting, ".");
    sut_run(10000);
    assert_string_equal(sut_notes, "raise low waiting noise low ");
}

static void test_levels_of_its_own_are_hidden_by_inherited_ones(void **state)
{
    (void)state;
    set_up();
    waiting = sut_start("owner", 1, obey, "a5.A.");
    sut_start("noise", 5, obey, "zzz.");
    sut_start("high", 7, obey, "za.A");
    sut_start("raise", 9, raise_waiting, ".");
    sut_run(10000);
    /* Raised from 1 to 8 while it has 7; it keeps the 8 when it unlocks. */
    assert_string_equal(sut_notes, "raise owner owner high noise ");
}

/* Two wait for each other; the one with the time-out ends it. */
static void cross(void *argument)
{
    (void)argument;
    assert_int_equal(hrl_mutex_lock(&second, HRL_FOREVER), HRL_OK);
    hrl_thread_sleep_for(100);
    assert_int_equal(hrl_mutex_lock(&first, hrl_now() + 500), HRL_TIMED_OUT);
    sut_note("gave-up");
    hrl_mutex_unlock(&second);
}

static void test_a_circle_ends_with_a_time_out(void **state)
{
    struct hrl_thread *a, *b;

    (void)state;
    set_up();
    a = sut_start("a", 3, obey, "azb.BA");
    b = sut_start("b", 5, cross, NULL);
    sut_run(10000);
    assert_string_equal(sut_notes, "gave-up a ");
    assert_int_equal(level_of(a), 3);
    assert_int_equal(level_of(b), 5);
}

/* Misuse. */

static void unlock_in_interrupt(void)
{
    hrl_mutex_unlock(&first);
}

static void lock_in_interrupt(void)
{
    (void)hrl_mutex_lock(&first, HRL_NO_WAIT);
}

static void with_interrupt(void *handler)
{
    sut_interrupt_in(10, *(void (**)(void))handler);
    hrlp_host_consume(100);
}

static struct hrl_thread *risen;

/* While it waits for a mutex of ceiling 9. */
static void raise_above(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(150);
    hrl_thread_set_priority(risen, 9);
    hrl_thread_set_priority(risen, 10);
}

static void test_misuse_is_found(void **state)
{
    void (*lock)(void) = lock_in_interrupt;
    void (*unlock)(void) = unlock_in_interrupt;

    (void)state;
    set_up();
    sut_start("wrong", 1, obey, "aa");
    sut_run_to_assertion(1000, "a mutex locked twice by its owner");
    set_up();
    sut_start("wrong", 1, obey, "A");
    sut_run_to_assertion(1000, "a mutex unlocked by a thread that does not own it");
    set_up();
    sut_start("wrong", 10, obey, "c");
    sut_run_to_assertion(1000, "a thread above the ceiling of its mutex");
    set_up();
    sut_start("owner", 1, obey, "czz"); /* the mutex is not free when the other one comes */
    sut_start("wrong", 10, obey, "zc");
    sut_run_to_assertion(1000, "a thread above the ceiling of its mutex");
    set_up();
    risen = sut_start("waits", 5, obey, "zc");
    sut_start("owner", 1, obey, "czz");
    sut_start("raises", 2, raise_above, NULL);
    sut_run_to_assertion(1000, "a thread above the ceiling of its mutex");
    set_up();
    sut_start("wrong", 1, obey, "a3");
    sut_start("waits", 2, obey, "za");
    sut_run_to_assertion(1000, "hrl_thread_exit: the thread owns a mutex");
    set_up();
    sut_start("wrong", 1, obey, "bAa"); /* another one was unlocked */
    sut_run_to_assertion(1000, "a mutex unlocked by a thread that does not own it");
    set_up();
    sut_start("wrong", 1, obey, "abB"); /* no thread waits for it */
    sut_run_to_assertion(1000, "hrl_thread_exit: the thread owns a mutex");
    set_up();
    sut_start("wrong", 1, obey, "c");
    sut_run_to_assertion(1000, "hrl_thread_exit: the thread owns a mutex");
    set_up();
    sut_call_to_assertion(lock_in_interrupt, "hrl_mutex_lock: for threads");
    set_up();
    sut_call_to_assertion(unlock_in_interrupt, "hrl_mutex_unlock: for threads");
    set_up();
    sut_start("wrong", 1, with_interrupt, &lock);
    sut_run_to_assertion(1000, "hrl_mutex_lock: for threads");
    set_up();
    sut_start("wrong", 1, with_interrupt, &unlock);
    sut_run_to_assertion(1000, "hrl_mutex_unlock: for threads");
}

/*
 * Random locking, in one order so that nothing is for ever: no mutex has two owners, and whenever a thread
 * looks, each level is at least what the rules say, computed anew, and its own again in the end. At least:
 * a waiter that has timed out but not run yet still lends.
 */
enum { MUTEXES = 4, THREADS = 7 };
static struct hrl_mutex mutexes[MUTEXES];
static struct hrl_thread *threads[THREADS];
static struct hrl_thread *inside[MUTEXES];
static struct random campaign;
static unsigned entered, rounds;

static hrl_counts some_counts(void)
{
    return random_below(&campaign, 2);
}

static uint32_t level_by_the_rules(const struct hrl_thread *thread)
{
    uint32_t level = thread->ready.base_priority;

    for (unsigned m = 0; m < MUTEXES; m++) {
        if (mutexes[m].owner == thread) {
            const struct hrl_thread *waiter = mutexes[m].waiters.first;
            level = mutexes[m].ceiling > level ? mutexes[m].ceiling : level;
            level = waiter != NULL && level_of(waiter) > level ? level_of(waiter) : level;
        }
    }
    return level;
}

static void check_levels(void)
{
    for (unsigned i = 0; i < THREADS; i++) {
        assert_true(level_of(threads[i]) >= level_by_the_rules(threads[i]));
    }
}

static void lock_at_random(void *argument)
{
    struct hrl_thread *self = hrl_thread_current();

    (void)argument;
    for (;;) {
        unsigned owned = 0;

        for (unsigned m = 0; m < MUTEXES; m++) {
            if (random_below(&campaign, 2) == 0 &&
                hrl_mutex_lock(&mutexes[m], random_below(&campaign, 2) == 0
                                                ? HRL_FOREVER
                                                : hrl_now() + random_below(&campaign, 800)) ==
                    HRL_OK) {
                assert_null(inside[m]);
                inside[m] = self;
                owned |= 1u << m;
                entered++;
            }
            check_levels();
            hrlp_host_consume(random_below(&campaign, 100));
            if (random_below(&campaign, 8) == 0) {
                hrl_thread_sleep_for(random_below(&campaign, 200));
            }
        }
        while (owned != 0) {
            unsigned m = random_below(&campaign, MUTEXES);
            if (owned & (1u << m)) {
                assert_ptr_equal(inside[m], self);
                inside[m] = NULL;
                owned &= ~(1u << m);
                hrl_mutex_unlock(&mutexes[m]);
                check_levels();
            }
        }
        assert_null(self->held);
        assert_int_equal(level_of(self), self->ready.base_priority);
        rounds++;
        hrl_thread_sleep_for(random_below(&campaign, 500));
    }
}

static void test_random_locking(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        set_up();
        campaign.state = seed;
        entered = rounds = 0;
        for (unsigned m = 0; m < MUTEXES; m++) {
            mutexes[m] = (struct hrl_mutex){.ceiling = m == 3 ? 9 : 0};
            inside[m] = NULL;
        }
        hrlp_host_setup.port_call_counts = some_counts;
        hrlp_host_setup.limit = 400000;
        for (unsigned i = 0; i < THREADS; i++) {
            threads[i] = sut_start("random", 1 + i, lock_at_random, NULL);
        }
        (void)sut_run(300000);
        assert_true(entered > 200);
        assert_true(rounds > 30);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_after_the_other),
        cmocka_unit_test(test_the_owner_inherits),
        cmocka_unit_test(test_inheritance_is_transitive),
        cmocka_unit_test(test_a_level_is_kept_while_a_thread_waits_for_another_mutex),
        cmocka_unit_test(test_a_waiter_that_gives_up_lends_no_more),
        cmocka_unit_test(test_a_ceiling_holds_at_once),
        cmocka_unit_test(test_the_next_owner_has_the_ceiling_too),
        cmocka_unit_test(test_a_new_level_of_a_waiter_reaches_the_owner),
        cmocka_unit_test(test_levels_of_its_own_are_hidden_by_inherited_ones),
        cmocka_unit_test(test_a_circle_ends_with_a_time_out),
        cmocka_unit_test(test_misuse_is_found),
        cmocka_unit_test(test_random_locking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
