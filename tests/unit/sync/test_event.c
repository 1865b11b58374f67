/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "event_under_test.h"
#include <hrl/interrupt.h>
#include <hrl/time.h>

static void use_alone(void *argument)
{
    uint32_t seen = 77;

    (void)argument;
    assert_int_equal(hrl_event_flags(&event), 0);
    assert_int_equal(poll(A, HRL_EVENT_ANY, &seen), HRL_WOULD_WAIT);
    assert_int_equal(hrl_event_wait(&event, A, HRL_EVENT_ANY, hrl_now() + 10, &seen),
                     HRL_TIMED_OUT);
    assert_int_equal(hrl_now(), 10);
    assert_int_equal(seen, 77);
    hrl_event_set(&event, A | C);
    hrl_event_set(&event, D | 0x80000000u);
    assert_int_equal(hrl_event_flags(&event), A | C | D | 0x80000000u);
    hrl_event_clear(&event, D | B | 0x80000000u);
    assert_int_equal(hrl_event_flags(&event), A | C);
    assert_int_equal(poll(A | B, HRL_EVENT_ALL, &seen), HRL_WOULD_WAIT);
    assert_int_equal(poll(A | B, HRL_EVENT_ALL | HRL_EVENT_CLEAR, &seen), HRL_WOULD_WAIT);
    assert_int_equal(poll(B | D, HRL_EVENT_CLEAR, &seen), HRL_WOULD_WAIT);
    assert_int_equal(hrl_event_flags(&event), A | C);
    assert_int_equal(seen, 77);
    assert_int_equal(poll(A | C, HRL_EVENT_ALL, NULL), HRL_OK);
    assert_int_equal(hrl_event_wait(&event, A | B, HRL_EVENT_ANY, HRL_FOREVER, &seen), HRL_OK);
    assert_int_equal(seen, A | C);
    assert_int_equal(hrl_event_flags(&event), A | C);
    seen = 0;
    assert_int_equal(poll(A | B, HRL_EVENT_CLEAR, &seen), HRL_OK);
    assert_int_equal(seen, A | C);
    assert_int_equal(hrl_event_flags(&event), C);
    sut_note("end");
}

static void test_flags_are_set_cleared_and_awaited(void **state)
{
    (void)state;
    assert_null(event.waiters.first); /* as defined */
    assert_null(event.walk);
    set_up(0);
    sut_start("alone", 1, use_alone, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "end ");
}

/* Sets what each letter says. */
static void set_each(void *argument)
{
    for (const char *letter = argument; *letter != '\0'; letter++) {
        char name[] = {*letter, '\0'};
        sut_note(name);
        hrl_event_set(&event, 1u << (*letter - 'A'));
    }
}

static void test_one_waits_for_any(void **state)
{
    struct wish wish = {"any", 2, B | C, HRL_EVENT_ANY, HRL_FOREVER, 0, 0};

    (void)state;
    set_up(0);
    start(&wish, 1);
    sut_start("setter", 1, set_each, "ACB");
    sut_run(1000);
    assert_string_equal(sut_notes, "A C any B ");
    assert_int_equal(wish.seen, A | C);
    assert_int_equal(event.flags, A | B | C);
}

static void test_one_waits_for_all(void **state)
{
    struct wish wish = {"all", 2, B | C, HRL_EVENT_ALL | HRL_EVENT_CLEAR, HRL_FOREVER, 0, 0};

    (void)state;
    set_up(0);
    start(&wish, 1);
    sut_start("setter", 1, set_each, "CAB");
    sut_run(1000);
    assert_string_equal(sut_notes, "C A B all ");
    assert_int_equal(wish.seen, A | B | C);
    assert_int_equal(event.flags, A);
}

static void test_what_was_not_set_stays_so_when_it_is_cleared(void **state)
{
    struct wish wish = {"any", 2, A | B, HRL_EVENT_CLEAR, HRL_FOREVER, 0, 0};

    (void)state;
    set_up(0);
    start(&wish, 1);
    sut_start("setter", 1, set_each, "CAB");
    sut_run(1000);
    assert_string_equal(sut_notes, "C A any B ");
    assert_int_equal(wish.seen, A | C);
    assert_int_equal(event.flags, B | C);
}

static void test_one_set_wakes_all_that_it_fulfils_in_order(void **state)
{
    struct wish wishes[] = {
        {"a2", 2, A, HRL_EVENT_CLEAR, HRL_FOREVER, 0, 0},
        {"b2", 2, B, HRL_EVENT_CLEAR, HRL_FOREVER, 0, 0},
        {"c2", 2, A | D, HRL_EVENT_ALL, HRL_FOREVER, 0, 0},
        {"b5", 5, B | C, HRL_EVENT_CLEAR, HRL_FOREVER, 0, 0},
        {"a5", 5, A, HRL_EVENT_CLEAR, HRL_FOREVER, 0, 0},
        {"a3", 3, A | B, HRL_EVENT_ANY, HRL_FOREVER, 0, 0},
        {"d5", 5, A | B, HRL_EVENT_ALL, HRL_FOREVER, 0, 0},
        {"e5", 5, A, HRL_EVENT_ANY, HRL_FOREVER, 0, 0},
    };

    (void)state;
    set_up(D);
    start(wishes, 8);
    sut_start("setter", 1, set_each, "ABA");
    sut_run(1000);
    assert_string_equal(sut_notes, "A a5 e5 a3 a2 c2 B b5 b2 A ");
    for (unsigned i = 0; i < 8; i++) {
        if (wishes[i].seen != ~0u) {
            assert_int_equal(wishes[i].seen, wishes[i].name[0] == 'b' ? B | D : A | D);
        }
    }
    /* No thread has taken the last A, and d5 still waits for B beside it. */
    assert_int_equal(event.flags, A | D);
    assert_string_equal(event.waiters.first->name, "d5");
    assert_null(event.walk);
}

static void test_a_thread_that_sets_for_the_less_urgent_goes_on(void **state)
{
    struct wish wishes[] = {
        {"a", 2, A, HRL_EVENT_ANY, HRL_FOREVER, 0, 0},
        {"b", 2, A, HRL_EVENT_ANY, HRL_FOREVER, 0, 0},
        {"c", 4, A, HRL_EVENT_ANY, HRL_FOREVER, 0, 0},
    };

    (void)state;
    set_up(0);
    start(wishes, 3);
    sut_start("setter", 2, set_each, "BAC");
    sut_run(1000);
    assert_string_equal(sut_notes, "B A c C a b ");
    set_up(0);
    start(wishes, 1);
    sut_start("setter", 2, set_each, "BAC");
    sut_run(1000);
    assert_string_equal(sut_notes, "B A C a ");
}

static void sleep_and_set(void *argument)
{
    hrl_thread_sleep_until(500);
    set_each(argument);
}

static void test_a_waiter_that_times_out_leaves(void **state)
{
    struct wish wishes[] = {
        {"first", 5, A, HRL_EVENT_CLEAR, 100, 0, 0},
        {"second", 5, A, HRL_EVENT_ANY, 1000, 0, 0},
        {"third", 4, B, HRL_EVENT_ANY, 200, 0, 0},
        {"fourth", 3, A | B, HRL_EVENT_ALL, 2000, 0, 0},
    };

    (void)state;
    set_up(0);
    start(wishes, 4);
    sut_start("setter", 1, sleep_and_set, "A");
    sut_run(5000);
    assert_string_equal(sut_notes, "first timed-out third timed-out A second fourth timed-out ");
    assert_int_equal(event.flags, A);
    assert_null(event.waiters.first);
}

/* From interrupts. */

static void set_in_interrupt(void)
{
    uint32_t seen = 0;

    sut_note("interrupt");
    assert_int_equal(poll(A, HRL_EVENT_ANY, &seen), HRL_WOULD_WAIT);
    hrl_event_set(&event, A | B);
    assert_null(event.walk);
    hrl_event_clear(&event, B);
    sut_note("set");
    /* The switch has been asked for: what the handler does at its end is not needed. */
    hrli_core.threshold = HRL_PRIORITIES;
}

static void interrupt_soon(void *argument)
{
    sut_interrupt_in(50, *(void (**)(void))argument);
    hrlp_host_consume(100);
    sut_note("low");
}

static void test_an_interrupt_sets(void **state)
{
    void (*handler)(void) = set_in_interrupt;
    struct wish wishes[] = {
        {"a2", 2, A, HRL_EVENT_CLEAR, HRL_FOREVER, 0, 0},
        {"c2", 2, C, HRL_EVENT_CLEAR, HRL_FOREVER, 0, 0},
        {"a5", 5, A | B, HRL_EVENT_ALL, HRL_FOREVER, 0, 0},
    };

    (void)state;
    for (unsigned count = 1; count <= 3; count++) {
        static const char *const expected[] = {"interrupt set a2 low ", "interrupt set a2 low ",
                                               "interrupt set a5 a2 low "};
        set_up(0);
        start(wishes, count);
        sut_start("low", 1, interrupt_soon, &handler);
        sut_run(1000);
        assert_string_equal(sut_notes, expected[count - 1]);
        assert_int_equal(event.flags, 0);
    }
    set_up(0);
    sut_start("low", 1, interrupt_soon, &handler);
    sut_run(1000);
    assert_int_equal(event.flags, A);
}

/* Misuse. */

static void wait_in_interrupt(void)
{
    (void)hrl_event_wait(&event, A, HRL_EVENT_ANY, HRL_FOREVER, NULL);
}

static void test_misuse_is_found(void **state)
{
    void (*handler)(void) = wait_in_interrupt;
    struct wish none = {"none", 1, 0, HRL_EVENT_ANY, HRL_FOREVER, 0, 0};
    struct wish mode = {"mode", 1, A, 4, HRL_FOREVER, 0, 0};

    (void)state;
    set_up(0);
    start(&none, 1);
    sut_run_to_assertion(1000, "hrl_event_wait: flags is 0");
    set_up(0);
    start(&mode, 1);
    sut_run_to_assertion(1000, "hrl_event_wait: unknown mode");
    set_up(0);
    sut_start("wrong", 1, interrupt_soon, &handler);
    sut_run_to_assertion(1000, "hrl_event_wait that may wait: for threads, not the idle thread");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flags_are_set_cleared_and_awaited),
        cmocka_unit_test(test_one_waits_for_any),
        cmocka_unit_test(test_one_waits_for_all),
        cmocka_unit_test(test_what_was_not_set_stays_so_when_it_is_cleared),
        cmocka_unit_test(test_one_set_wakes_all_that_it_fulfils_in_order),
        cmocka_unit_test(test_a_thread_that_sets_for_the_less_urgent_goes_on),
        cmocka_unit_test(test_a_waiter_that_times_out_leaves),
        cmocka_unit_test(test_an_interrupt_sets),
        cmocka_unit_test(test_misuse_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
