/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "level.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <string.h>

HRL_SEMAPHORE_DEFINE(tokens, 0, 5);
static struct hrl_thread *other;

static void set_up(void)
{
    sut_reset();
    tokens.count = 0;
    tokens.waiters.first = NULL;
}

static void note_and_yield(void *argument)
{
    for (int i = 0; i < 3; i++) {
        sut_note(argument);
        hrl_thread_yield();
    }
}

static void test_yielding_goes_round_the_level(void **state)
{
    (void)state;
    set_up();
    sut_start("a", 2, note_and_yield, "a");
    sut_start("b", 2, note_and_yield, "b");
    sut_start("c", 2, note_and_yield, "c");
    sut_start("low", 1, note_and_yield, "low");
    sut_run(1000);
    assert_string_equal(sut_notes, "a b c a b c a b c low low low ");
}

static void take(void *argument)
{
    assert_int_equal(hrl_semaphore_take(&tokens, HRL_FOREVER), HRL_OK);
    sut_note(argument);
}

static void raise_other(void *argument)
{
    (void)argument;
    hrl_thread_set_priority(other, 7);
    assert_int_equal(hrl_thread_get_priority(other), 7);
    sut_note("raised");
    for (int i = 0; i < 3; i++) {
        hrl_semaphore_give(&tokens);
    }
}

static void test_the_place_among_the_waiting_follows_the_level(void **state)
{
    (void)state;
    set_up();
    sut_start("a", 4, take, "a");
    other = sut_start("b", 3, take, "b");
    sut_start("c", 5, take, "c");
    sut_start("raise", 1, raise_other, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "raised b c a ");
}

/*
 * A thread that waits gets another level; in the middle of it an interrupt wakes some. All are
 * woken in the order that there is if it came before, or after.
 */
enum { CROWD = 6 };
static const uint32_t crowd_levels[CROWD] = {6, 5, 5, 3, 2, 2};
static struct hrl_thread *crowd[CROWD];
static const struct hrl_thread *woken[CROWD];
static unsigned woken_count, gifts, gifts_within, moved_index;
static hrl_counts gifts_after;
static uint32_t new_level;

static hrl_counts four_counts(void)
{
    return 4;
}

static void wake(unsigned count)
{
    for (; count != 0; count--) {
        woken[woken_count++] = tokens.waiters.first;
        assert_non_null(tokens.waiters.first);
        hrl_semaphore_give(&tokens);
    }
}

static void wake_some(void)
{
    gifts_within += hrli_core.threshold == HRL_PRIORITIES;
    wake(gifts);
}

static void move_one(void *argument)
{
    (void)argument;
    sut_interrupt_in(gifts_after, wake_some);
    hrl_thread_set_priority(crowd[moved_index], new_level);
    while (woken_count == 0) {
        hrlp_host_consume(1);
    }
    wake(CROWD - woken_count);
}

/*
 * Whether it is the order if the first of them, so many, were woken before the move, and the others
 * after it.
 */
static bool is_order_with(unsigned before)
{
    unsigned order[CROWD], at = 0;

    for (unsigned i = 0; i < CROWD; i++) { /* the others, in the order of their levels */
        if (i != moved_index) {
            order[at++] = i;
        }
    }
    if (moved_index < before || new_level == crowd_levels[moved_index]) {
        at = moved_index; /* it was not moved */
    } else {
        for (at = before; at < CROWD - 1 && crowd_levels[order[at]] >= new_level; at++) {
        }
    }
    memmove(&order[at + 1], &order[at], (CROWD - 1 - at) * sizeof order[0]);
    order[at] = moved_index;
    for (unsigned i = 0; i < CROWD; i++) {
        if (woken[i] != crowd[order[i]]) {
            return false;
        }
    }
    return true;
}

static void test_some_are_woken_while_one_is_moved(void **state)
{
    (void)state;
    gifts_within = 0;
    for (moved_index = 0; moved_index < CROWD; moved_index++) {
        for (new_level = 1; new_level < 8; new_level++) {
            for (gifts = 1; gifts <= CROWD; gifts++) {
                for (gifts_after = 1; gifts_after < 60; gifts_after += 2) {
                    set_up();
                    hrlp_host_setup.port_call_counts = four_counts;
                    woken_count = 0;
                    for (unsigned i = 0; i < CROWD; i++) {
                        crowd[i] = sut_start("crowd", crowd_levels[i], take, "woken");
                    }
                    sut_start("mover", 1, move_one, NULL);
                    sut_run(1000);
                    assert_string_equal(sut_notes, "woken woken woken woken woken woken ");
                    assert_true(is_order_with(0) || is_order_with(gifts));
                    assert_null(tokens.waiters.first);
                }
            }
        }
    }
    assert_true(gifts_within > 1000);
}

static void note_argument(void *argument)
{
    sut_note(argument);
}

static void raise_ready(void *argument)
{
    (void)argument;
    hrl_thread_set_priority(other, 4);
    sut_note("below");
    hrl_thread_set_priority(other, 5);
    sut_note("equal");
    hrl_thread_set_priority(other, 6);
    sut_note("above");
}

static void test_a_ready_thread_runs_when_it_comes_above(void **state)
{
    (void)state;
    set_up();
    sut_start("raise", 5, raise_ready, NULL);
    other = sut_start("other", 3, note_argument, "other");
    sut_start("between", 4, note_argument, "between");
    sut_run(1000);
    assert_string_equal(sut_notes, "below equal other above between ");
}

static void lower_itself(void *argument)
{
    (void)argument;
    hrl_thread_set_priority(hrl_thread_current(), 4);
    sut_note("first at 4");
    hrl_thread_set_priority(hrl_thread_current(), 2);
    sut_note("first at 2");
}

static void test_the_running_thread_comes_first_in_its_new_level(void **state)
{
    (void)state;
    set_up();
    sut_start("self", 5, lower_itself, NULL);
    sut_start("four", 4, note_argument, "four");
    sut_start("two", 2, note_argument, "two");
    sut_run(1000);
    assert_string_equal(sut_notes, "first at 4 four first at 2 two ");
}

static void raise_itself(void *argument)
{
    (void)argument;
    hrl_thread_set_priority(hrl_thread_current(), 9);
    hrl_thread_start(other);
    sut_note("still");
}

static void test_preemption_goes_by_the_new_level(void **state)
{
    (void)state;
    set_up();
    other = sut_define("other", 6, note_argument, "other");
    sut_start("self", 5, raise_itself, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "still other ");
}

static void set_wrong(void *argument)
{
    hrl_thread_set_priority(hrl_thread_current(), *(uint32_t *)argument);
}

static void yield_from_interrupt(void)
{
    hrl_thread_yield();
}

static void set_from_interrupt(void)
{
    hrl_thread_set_priority(other, 1);
}

static void with_interrupt(void *handler)
{
    sut_interrupt_in(10, *(void (**)(void))handler);
    hrlp_host_consume(100);
}

static void test_levels_are_set_before_the_start(void **state)
{
    struct hrl_thread *first, *second, *third;

    (void)state;
    set_up();
    third = sut_define("c", 3, note_argument, "c");
    hrl_thread_set_priority(third, 4); /* before anything else */
    first = sut_start("a", 2, note_argument, "a");
    second = sut_start("b", 3, note_argument, "b");
    hrl_thread_start(third);
    hrl_thread_set_priority(first, 5);
    hrl_thread_set_priority(second, 1);
    assert_int_equal(hrl_thread_get_priority(first), 5);
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "a c b ");
}

static void yield_while_masked(void *argument)
{
    (void)argument;
    (void)hrlp_irq_lock();
    hrl_thread_yield();
}

static void test_misuse_is_found(void **state)
{
    uint32_t levels[] = {0, 32};
    void (*handlers[])(void) = {yield_from_interrupt, set_from_interrupt};
    const char *const reasons[] = {"hrl_thread_yield: for threads, not the idle thread",
                                   "hrl_thread_set_priority: for threads, and before hrl_start"};

    (void)state;
    set_up();
    sut_start("wrong", 2, yield_while_masked, NULL);
    sut_run_to_assertion(1000, "hrl_thread_yield: not with interrupts masked");
    set_up();
    sut_call_to_assertion(yield_from_interrupt,
                          "hrl_thread_yield: for threads, not the idle thread");
    for (int i = 0; i < 2; i++) {
        set_up();
        sut_start("wrong", 2, set_wrong, &levels[i]);
        sut_run_to_assertion(1000, "a thread's priority is from 1 to HRL_PRIORITIES - 1");
        set_up();
        other = sut_start("wrong", 2, with_interrupt, &handlers[i]);
        sut_run_to_assertion(1000, reasons[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_yielding_goes_round_the_level),
        cmocka_unit_test(test_the_place_among_the_waiting_follows_the_level),
        cmocka_unit_test(test_some_are_woken_while_one_is_moved),
        cmocka_unit_test(test_a_ready_thread_runs_when_it_comes_above),
        cmocka_unit_test(test_the_running_thread_comes_first_in_its_new_level),
        cmocka_unit_test(test_preemption_goes_by_the_new_level),
        cmocka_unit_test(test_levels_are_set_before_the_start),
        cmocka_unit_test(test_misuse_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
