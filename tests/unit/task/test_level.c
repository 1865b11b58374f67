/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "level.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/semaphore.h>
#include <hrl/thread.h>

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
    hrl_thread_set_level(other, 7);
    assert_int_equal(hrl_thread_get_level(other), 7);
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

static void note_argument(void *argument)
{
    sut_note(argument);
}

static void raise_ready(void *argument)
{
    (void)argument;
    hrl_thread_set_level(other, 4);
    sut_note("below");
    hrl_thread_set_level(other, 5);
    sut_note("equal");
    hrl_thread_set_level(other, 6);
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
    hrl_thread_set_level(hrl_thread_current(), 4);
    sut_note("first at 4");
    hrl_thread_set_level(hrl_thread_current(), 2);
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
    hrl_thread_set_level(hrl_thread_current(), 9);
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
    hrl_thread_set_level(hrl_thread_current(), *(uint32_t *)argument);
}

static void yield_from_interrupt(void)
{
    hrl_thread_yield();
}

static void set_from_interrupt(void)
{
    hrl_thread_set_level(other, 1);
}

static void with_interrupt(void *handler)
{
    sut_interrupt_in(10, *(void (**)(void))handler);
    hrlp_host_consume(100);
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
    const char *const reasons[] = {"a yield from an interrupt", "a level set from an interrupt"};

    (void)state;
    set_up();
    sut_start("wrong", 2, yield_while_masked, NULL);
    sut_run_to_assertion(1000, "a yield with interrupts masked");
    set_up();
    sut_call_to_assertion(yield_from_interrupt, "a yield before hrl_start");
    set_up();
    other = sut_define("other", 3, note_argument, NULL);
    sut_call_to_assertion(set_from_interrupt, "a level set before hrl_start");
    for (int i = 0; i < 2; i++) {
        set_up();
        sut_start("wrong", 2, set_wrong, &levels[i]);
        sut_run_to_assertion(1000, "a thread's level is from 1 to HRL_LEVELS - 1");
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
        cmocka_unit_test(test_a_ready_thread_runs_when_it_comes_above),
        cmocka_unit_test(test_the_running_thread_comes_first_in_its_new_level),
        cmocka_unit_test(test_preemption_goes_by_the_new_level),
        cmocka_unit_test(test_misuse_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
