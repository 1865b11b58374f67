/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "context.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/alarm.h>
#include <hrl/interrupt.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>

/*
 * What each context is taken for. Every call in every context, on boards too:
 * tests/system/test_contexts.py.
 */
static void look(void)
{
    sut_note(hrli_is_thread() ? "thread" : "-");
    sut_note(hrli_is_start_up() ? "start-up" : "-");
    sut_note(hrli_is_thread_or_alarm() ? "or-alarm" : "-");
    sut_note(hrli_is_waiting_thread() ? "waits" : "-");
}

static void look_on_line(void *unused)
{
    (void)unused;
    look();
}

static void look_on_expiry(void *argument, uint32_t expiries)
{
    (void)argument;
    (void)expiries;
    look();
}

HRL_ALARM_DEFINE_CALL(alarm, look_on_expiry, NULL);

static void in_thread(void *unused)
{
    (void)unused;
    look();
}

static void in_interrupt(void *unused)
{
    (void)unused;
    hrl_interrupt_attach(10, look_on_line, NULL);
    (void)hrl_interrupt_enable(10, HRL_INTERRUPT_KERNEL);
    (void)hrl_interrupt_raise(10);
    hrl_interrupt_detach(10);
}

static void in_alarm_of_a_call(void *unused)
{
    (void)unused;
    hrl_thread_sleep_for(100);
    hrl_alarm_start(&alarm, 1);
}

static void in_alarm_of_a_handler(void *unused)
{
    (void)unused;
    hrl_alarm_start(&alarm, hrl_now() + 100);
    hrl_thread_sleep_for(200);
}

static void test_contexts_are_told_apart(void **state)
{
    static const struct {
        void (*entry)(void *unused);
        const char *seen;
    } cases[] = {{in_thread, "thread - or-alarm waits "},
                 {in_interrupt, "- - - - "},
                 {in_alarm_of_a_call, "- - or-alarm - "},
                 {in_alarm_of_a_handler, "- - or-alarm - "}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sut_reset();
        sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
        look();
        sut_start("looker", 3, cases[i].entry, NULL);
        assert_string_equal(sut_run(1000), "done");
        assert_memory_equal(sut_notes, "- start-up - - ", 15);
        assert_string_equal(sut_notes + 15, cases[i].seen);
    }
}

static bool looked = true;

/* The idle thread's. */
void hrl_idle_hook(void);
void hrl_idle_hook(void)
{
    if (!looked) {
        looked = true;
        look();
    }
}

static void test_the_idle_thread_does_not_wait(void **state)
{
    (void)state;
    sut_reset();
    looked = false;
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "thread - or-alarm - ");
    looked = true;
}

HRL_SEMAPHORE_DEFINE(tokens, 0, 9);

static void take_for_ever(void *unused)
{
    (void)unused;
    tokens.count = 1;
    (void)hrl_semaphore_take(&tokens, HRL_FOREVER);
}

static void take_at_once(void *unused)
{
    (void)unused;
    tokens.count = 1;
    assert_int_equal(hrl_semaphore_take(&tokens, HRL_NO_WAIT), HRL_OK);
}

static void (*handler)(void *unused);

static void interrupt(void *priority)
{
    hrl_interrupt_detach(10); /* the run before may have stopped */
    hrl_interrupt_attach(10, handler, NULL);
    (void)hrl_interrupt_enable(10, (uint32_t)(uintptr_t)priority);
    (void)hrl_interrupt_raise(10);
    hrl_interrupt_detach(10);
    sut_note("went-on");
}

/* A token is there: neither would wait. */
static void test_a_call_that_may_wait_stops_even_if_it_would_not(void **state)
{
    (void)state;
    sut_reset();
    handler = take_for_ever;
    sut_start("interrupted", 3, interrupt, (void *)HRL_INTERRUPT_KERNEL);
    sut_run_to_assertion(1000,
                         "hrl_semaphore_take that may wait: for threads, not the idle thread");
    sut_reset();
    handler = take_at_once;
    sut_start("interrupted", 3, interrupt, (void *)HRL_INTERRUPT_KERNEL);
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "went-on ");
    sut_reset();
    sut_start("interrupted", 3, interrupt, (void *)(HRL_INTERRUPT_KERNEL + 1));
    sut_run_to_assertion(1000,
                         "hrl_semaphore_take: not for interrupts above the kernel's priority");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contexts_are_told_apart),
        cmocka_unit_test(test_the_idle_thread_does_not_wait),
        cmocka_unit_test(test_a_call_that_may_wait_stops_even_if_it_would_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
