/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "release_by_mask.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/mutex.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>

/* Threads that masks release, among what else threads do. In builds with HRL_RELEASE_MASKS only. */

static void set_up(void)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.cell_period = 100, .store = SUT_PERIOD_GROUPS});
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
}

static unsigned task(uint32_t level, hrl_stamp offset, uint64_t period, hrl_counts cost,
                     void (*body)(void))
{
    return sut_add_task((struct sut_task){.level = level,
                                          .offset = offset,
                                          .period = sut_period(period, 1),
                                          .cost = cost,
                                          .body = body});
}

static void sleep_until(hrl_counts at)
{
    hrl_thread_sleep_until((hrl_counts)SUT_START_COUNTS + at);
}

static hrl_counts at(char kind, unsigned index, size_t n)
{
    return sut_nth(kind, index, n)->at - sut_zero();
}

static void test_several_levels_and_words_in_one_mask(void **state)
{
    (void)state;
    set_up();
    for (unsigned i = 0; i < 40; i++) {
        task(i < 32 ? 4 : 9 + i % 2, 0, 1000, 10, NULL);
    }
    sut_run(3000);
    for (unsigned k = 0; k < 3; k++) {
        for (unsigned i = 0; i < 40; i++) {
            unsigned before = i < 32 ? 8 + i : i % 2 != 0 ? (i - 33) / 2 : 4 + (i - 32) / 2;
            assert_int_equal(at('R', i, k), 1000 * k);
            assert_int_equal(sut_nth('R', i, k)->value - sut_zero(), 1000 * k);
            assert_int_equal(at('S', i, k), 1000 * k + 10 * before);
        }
    }
}

/* ---- blocked ---------------------------------------------------------------------------------- */

HRL_SEMAPHORE_DEFINE(semaphore, 0, 1);

static void take_once(void)
{
    if (sut_count('S', 0) == 1) {
        assert_int_equal(hrl_semaphore_take(&semaphore, HRL_FOREVER), HRL_OK);
    }
}

static void give_at_2500(void *argument)
{
    (void)argument;
    sleep_until(2500);
    assert_int_equal(hrl_thread_state_of(sut_thread(0)), HRL_THREAD_WAITING);
    assert_int_equal(hrl_semaphore_give(&semaphore), HRL_OK);
    assert_int_equal(hrl_thread_state_of(sut_thread(0)), HRL_THREAD_READY);
}

static void test_a_task_blocked_in_its_job_is_not_released(void **state)
{
    (void)state;
    set_up();
    task(5, 0, 1000, 10, take_once);
    task(5, 0, 1000, 10, NULL);
    (void)sut_start("giver", 9, give_at_2500, NULL);
    sut_run(6000);
    assert_int_equal(at('E', 0, 0), 2510);
    assert_int_equal(sut_count('R', 0), 4); /* not for 1000 and 2000 */
    assert_int_equal(at('R', 0, 1), 3000);
    assert_int_equal(sut_periodic(0)->overruns, 2);
    assert_int_equal(sut_count('R', 1), 6);
    assert_int_equal(sut_periodic(1)->overruns, 0);
}

static void end_late(void *argument)
{
    (void)argument;
    sleep_until(1500);
    hrl_thread_set_priority(sut_thread(0), 7); /* blocked */
    assert_int_equal(hrl_semaphore_give(&semaphore), HRL_OK);
    hrl_thread_set_priority(sut_thread(0), 5);
}

static void test_the_level_of_one_that_is_blocked(void **state)
{
    (void)state;
    set_up();
    task(5, 0, 1000, 10, take_once);
    task(6, 1400, 5000, 400, NULL);
    (void)sut_start("boss", 9, end_late, NULL);
    sut_run(4000);
    assert_int_equal(at('E', 0, 0), 1810); /* it was ready at 7, and at 5 again, as a bit */
    assert_int_equal(at('R', 0, 1), 2000);
    assert_int_equal(at('S', 0, 1), 2000);
}

/* ---- yields ----------------------------------------------------------------------------------- */

static void yield_in_between(void)
{
    sut_note("a");
    hrl_thread_yield();
    sut_note("A");
}

static void note_b(void)
{
    sut_note("b");
}

static void test_a_yield_lets_equals_run(void **state)
{
    (void)state;
    set_up();
    task(5, 0, 1000, 10, yield_in_between);
    task(5, 0, 1000, 10, note_b);
    sut_run(2000);
    assert_string_equal(sut_notes, "a b A a b A ");
}

static void consume_and_yield(void)
{
    sut_note("b");
    hrlp_host_consume(600);
    sut_note("y");
    hrl_thread_yield();
    sut_note("B");
}

static void note_a(void)
{
    sut_note("a");
}

/* The equal was released while the other ran, which went on: no task is preempted by an equal. */
static void test_a_yield_lets_a_bit_run_that_came_meanwhile(void **state)
{
    (void)state;
    set_up();
    task(5, 500, 1000, 10, note_a);
    task(5, 0, 1000, 10, consume_and_yield);
    sut_run(2000);
    assert_string_equal(sut_notes, "b y a B b y a B ");
}

static void yield_alone(void)
{
    hrl_thread_yield();
    sut_note(hrl_thread_state_of(hrl_thread_current()) == HRL_THREAD_RUNNING ? "alone" : "?");
}

static void test_a_yield_of_one_that_is_alone(void **state)
{
    (void)state;
    set_up();
    task(5, 0, 1000, 10, yield_alone);
    sut_run(2000);
    assert_string_equal(sut_notes, "alone alone ");
    assert_int_equal(at('E', 0, 1), 1010);
}

/* ---- levels ----------------------------------------------------------------------------------- */

static uint32_t new_level;

static void set_level_of_one_that_waits(void *argument)
{
    (void)argument;
    sleep_until(500);
    hrl_thread_set_priority(sut_thread(0), new_level);
    assert_int_equal(hrl_thread_state_of(sut_thread(0)), HRL_THREAD_WAITING);
    sleep_until(2500);
    hrl_thread_set_priority(sut_thread(0), 5);
}

/* Released at 1000, 2000 and 3000 while a thread of level 7 runs from 900, 1900 and 2900 on. */
static void test_the_level_of_one_that_waits_is_raised(void **state)
{
    (void)state;
    set_up();
    task(5, 0, 1000, 10, NULL);
    task(7, 900, 1000, 400, NULL);
    new_level = 9;
    (void)sut_start("boss", 20, set_level_of_one_that_waits, NULL);
    sut_run(4000);
    assert_int_equal(at('S', 0, 1), 1000);
    assert_int_equal(at('S', 0, 2), 2000);
    assert_int_equal(at('S', 0, 3), 3300);
    assert_int_equal(sut_periodic(0)->overruns, 0);
}

static void test_the_level_of_one_that_waits_is_lowered(void **state)
{
    (void)state;
    set_up();
    task(5, 0, 1000, 10, NULL);
    task(3, 900, 1000, 400, NULL);
    new_level = 1;
    (void)sut_start("boss", 20, set_level_of_one_that_waits, NULL);
    sut_run(4000);
    assert_int_equal(at('S', 0, 1), 1300);
    assert_int_equal(at('S', 0, 2), 2300);
    assert_int_equal(at('S', 0, 3), 3000);
}

/* Another thread's bits are not touched for a displaced one. */
static void test_a_displaced_thread_and_another_in_one_mask(void **state)
{
    (void)state;
    set_up();
    task(5, 0, 1000, 10, NULL);
    task(5, 0, 1000, 10, NULL);
    new_level = 5 + 3;
    (void)sut_start("boss", 20, set_level_of_one_that_waits, NULL);
    sut_run(3000);
    assert_int_equal(at('S', 0, 1), 1000);
    assert_int_equal(at('S', 1, 1), 1010);
    assert_int_equal(at('S', 1, 2), 2010);
}

static void set_level_of_one_that_is_ready(void *argument)
{
    (void)argument;
    sleep_until(50);
    assert_int_equal(hrl_thread_state_of(sut_thread(0)), HRL_THREAD_READY);
    hrl_thread_set_priority(sut_thread(0), new_level);
    sleep_until(2050);
    hrl_thread_set_priority(sut_thread(0), 5);
}

static void test_the_level_of_one_that_is_ready(void **state)
{
    (void)state;
    for (new_level = 1; new_level < 10; new_level += 2) {
        set_up();
        task(5, 0, 1000, 100, NULL); /* preempted at 50, in its job; at 2050 again */
        task(6, 0, 1000, 10, NULL);
        task(5, 0, 1000, 10, NULL);
        task(3, 0, 1000, 10, NULL);
        (void)sut_start("boss", 20, set_level_of_one_that_is_ready, NULL);
        sut_run(4000);
        assert_int_equal(at('E', 0, 0), new_level >= 5 ? 110 : 130);
        assert_int_equal(at('S', 0, 1), new_level > 5 ? 1000 : new_level == 5 ? 1010 : 1030);
        assert_int_equal(at('S', 0, 3), 3010);
        assert_int_equal(at('S', 2, 3), 3110);
    }
}

static void set_own_level(void)
{
    hrl_thread_set_priority(hrl_thread_current(), sut_count('S', 0) == 1 ? 8 : 5);
    hrlp_host_consume(300);
}

static void test_one_that_runs_sets_its_own_level(void **state)
{
    (void)state;
    set_up();
    task(5, 0, 1000, 10, set_own_level);
    task(7, 100, 1000, 10, NULL);
    sut_run(3000);
    assert_int_equal(at('S', 1, 0), 310);
    assert_int_equal(at('S', 1, 1), 1100);
    assert_int_equal(sut_count('R', 0), 3);
}

/* ---- mutexes ---------------------------------------------------------------------------------- */

HRL_MUTEX_DEFINE(mutex);
HRL_MUTEX_DEFINE_CEILING(high, 9);

static void lock_for_400(void)
{
    assert_int_equal(hrl_mutex_lock(&mutex, HRL_FOREVER), HRL_OK);
    hrlp_host_consume(400);
    hrl_mutex_unlock(&mutex);
    hrlp_host_consume(100);
}

static void lock_at_100(void *argument)
{
    (void)argument;
    sleep_until(100);
    assert_int_equal(hrl_mutex_lock(&mutex, HRL_FOREVER), HRL_OK);
    hrl_mutex_unlock(&mutex);
    sut_note("locked");
}

static void test_it_inherits_while_it_runs(void **state)
{
    (void)state;
    set_up();
    task(5, 0, 1000, 10, lock_for_400);
    task(7, 200, 1000, 50, NULL);
    (void)sut_start("urgent", 9, lock_at_100, NULL);
    sut_run(3000);
    assert_string_equal(sut_notes, "locked ");
    assert_int_equal(at('S', 1, 0), 400);
    assert_int_equal(at('E', 0, 0), 560);
    assert_int_equal(at('S', 1, 1), 1200); /* no thread waits then */
    assert_int_equal(at('R', 0, 1), 1000);
}

static void keep_it_for_a_job(void)
{
    if (sut_count('S', 0) == 1) {
        assert_int_equal(hrl_mutex_lock(&mutex, HRL_FOREVER), HRL_OK);
    } else if (sut_count('S', 0) == 2) {
        hrl_mutex_unlock(&mutex);
    }
}

/* It inherits while it waits for its release; from then on no task of level 7 preempts it. */
static void test_it_inherits_while_it_waits_for_its_release(void **state)
{
    (void)state;
    set_up();
    task(5, 0, 1000, 10, keep_it_for_a_job);
    task(7, 900, 1000, 400, NULL);
    (void)sut_start("urgent", 9, lock_at_100, NULL);
    sut_run(4000);
    assert_string_equal(sut_notes, "locked ");
    assert_int_equal(at('S', 0, 1), 1000);
    assert_int_equal(at('E', 0, 1), 1310); /* of level 5 again when it has unlocked */
    assert_int_equal(at('S', 0, 2), 2300);
    assert_int_equal(hrli_ready_masked(&hrli_core.ready)->displaced, 0);
}

static void lock_high_for_400(void)
{
    assert_int_equal(hrl_mutex_lock(&high, HRL_FOREVER), HRL_OK);
    hrlp_host_consume(400);
    hrl_mutex_unlock(&high);
}

static void test_it_has_the_ceiling_of_what_it_owns(void **state)
{
    (void)state;
    set_up();
    task(5, 0, 1000, 10, lock_high_for_400);
    task(7, 200, 1000, 50, NULL);
    task(5, 0, 1000, 10, NULL);
    sut_run(3000);
    for (unsigned k = 0; k < 3; k++) {
        assert_int_equal(at('S', 1, k), 1000 * k + 400);
        assert_int_equal(at('E', 0, k), 1000 * k + 460);
        assert_int_equal(at('S', 2, k), 1000 * k + 460);
    }
}

/* ---- what else threads do --------------------------------------------------------------------- */

static void suspend_it(void *argument)
{
    (void)argument;
    hrl_thread_suspend(sut_thread(0));
}

static void test_it_is_not_suspended(void **state)
{
    (void)state;
    set_up();
    task(5, 0, 1000, 10, NULL);
    (void)sut_start("boss", 9, suspend_it, NULL);
    sut_run_to_assertion(
        1000, "hrl_thread_suspend: the thread is not started, is periodic, or is the idle thread");
}

static struct hrl_thread *equal;

static void note_and_sleep(void *argument)
{
    (void)argument;
    sleep_until(100);
    sut_note("equal");
}

static void suspend_an_equal(void)
{
    if (sut_count('S', 0) == 1) {
        hrlp_host_consume(200); /* the equal is ready by then, in the ring */
        hrl_thread_suspend(equal);
    } else if (sut_count('S', 0) == 2) {
        hrl_thread_resume(equal);
    }
    sut_note("job");
}

static void test_an_equal_is_suspended_beside_bits(void **state)
{
    (void)state;
    set_up();
    task(5, 0, 1000, 10, suspend_an_equal);
    task(5, 0, 1000, 10, note_b);
    equal = sut_start("equal", 5, note_and_sleep, NULL);
    sut_run(2000);
    assert_string_equal(sut_notes, "job b job b equal ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_several_levels_and_words_in_one_mask),
        cmocka_unit_test(test_a_task_blocked_in_its_job_is_not_released),
        cmocka_unit_test(test_the_level_of_one_that_is_blocked),
        cmocka_unit_test(test_a_yield_lets_equals_run),
        cmocka_unit_test(test_a_yield_lets_a_bit_run_that_came_meanwhile),
        cmocka_unit_test(test_a_yield_of_one_that_is_alone),
        cmocka_unit_test(test_the_level_of_one_that_waits_is_raised),
        cmocka_unit_test(test_the_level_of_one_that_waits_is_lowered),
        cmocka_unit_test(test_a_displaced_thread_and_another_in_one_mask),
        cmocka_unit_test(test_the_level_of_one_that_is_ready),
        cmocka_unit_test(test_one_that_runs_sets_its_own_level),
        cmocka_unit_test(test_it_inherits_while_it_runs),
        cmocka_unit_test(test_it_inherits_while_it_waits_for_its_release),
        cmocka_unit_test(test_it_has_the_ceiling_of_what_it_owns),
        cmocka_unit_test(test_it_is_not_suspended),
        cmocka_unit_test(test_an_equal_is_suspended_beside_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
