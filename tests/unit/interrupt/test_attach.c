/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_upcalls.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/event.h>
#include <hrl/interrupt.h>
#include <hrl/message_queue.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Handlers attached to lines of the host's machine: 0 to 4 are its cells' and its clock's. */
enum { LINE = HRLP_HOST_CLOCK_LINE + 1, OTHER = HRLP_HOST_LINES - 1 };

HRL_SEMAPHORE_DEFINE(semaphore, 0, 9);
HRL_EVENT_DEFINE(event);
HRL_MESSAGE_QUEUE_DEFINE(queue, 4, 2);

static int tear_down(void **state)
{
    (void)state;
    hrl_interrupt_detach(LINE);
    hrl_interrupt_detach(OTHER);
    return 0;
}

static void set_up(void)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    semaphore = (struct hrl_semaphore){.limit = 9};
    event = (struct hrl_event){.flags = 0};
}

static void note(void *argument)
{
    sut_note(argument);
}

static void raise_both(void *argument)
{
    (void)argument;
    hrl_interrupt_attach(LINE, note, "line");
    hrl_interrupt_attach(OTHER, note, "other");
    assert_int_equal(hrl_interrupt_enable(LINE, 1), HRL_OK);
    assert_int_equal(hrl_interrupt_enable(OTHER, HRL_INTERRUPT_KERNEL), HRL_OK);
    assert_int_equal(hrl_interrupt_raise(OTHER), HRL_OK);
    sut_note("between");
    assert_int_equal(hrl_interrupt_raise(LINE), HRL_OK);
    assert_int_equal(hrl_interrupt_raise(LINE), HRL_OK);
}

static void test_each_line_has_its_function_and_argument(void **state)
{
    (void)state;
    set_up();
    sut_start("raiser", 1, raise_both, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "other between line line ");
}

static void attach_detach(void *argument)
{
    (void)argument;
    hrl_interrupt_attach(LINE, note, "first");
    (void)hrl_interrupt_enable(LINE, 2);
    (void)hrl_interrupt_raise(LINE);
    hrl_interrupt_detach(LINE);
    (void)hrl_interrupt_raise(LINE); /* stays pending */
    hrl_interrupt_attach(LINE, note, "second");
    sut_note("attached");
    (void)hrl_interrupt_enable(LINE, 2);
}

static void test_a_line_can_be_attached_anew(void **state)
{
    (void)state;
    set_up();
    sut_start("raiser", 1, attach_detach, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "first attached second ");
}

/* Every service that an interrupt may call asks for the dispatch by itself. */
static struct hrl_thread *waiter;

static void serve(void *argument)
{
    static const uint32_t message = 7;

    sut_note("handler");
    switch (*(int *)argument) {
    case 0:
        (void)hrl_semaphore_give(&semaphore);
        break;
    case 1:
        hrl_event_set(&event, 1);
        break;
    case 2:
        (void)hrl_message_send(&queue, &message, HRL_NO_WAIT);
        break;
    default:
        hrl_thread_resume(waiter);
    }
    sut_note("end");
}

static void wait_for_it(void *argument)
{
    uint32_t message;

    switch (*(int *)argument) {
    case 0:
        (void)hrl_semaphore_take(&semaphore, HRL_FOREVER);
        break;
    case 1:
        (void)hrl_event_wait(&event, 1, HRL_EVENT_ANY, HRL_FOREVER, NULL);
        break;
    case 2:
        assert_int_equal(hrl_message_receive(&queue, &message, HRL_FOREVER), HRL_OK);
        assert_int_equal(message, 7);
        break;
    default:
        hrl_thread_suspend(hrl_thread_current());
    }
    sut_note("woken");
}

static void raise_line(void *argument)
{
    hrl_interrupt_attach(LINE, serve, argument);
    (void)hrl_interrupt_enable(LINE, HRL_INTERRUPT_LOWEST);
    (void)hrl_interrupt_raise(LINE);
    sut_note("on");
}

static void test_what_a_handler_wakes_runs_at_its_end(void **state)
{
    (void)state;
    for (int service = 0; service < 4; service++) {
        set_up();
        waiter = sut_start("waiter", 2, wait_for_it, &service);
        sut_start("raiser", 1, raise_line, &service);
        sut_run(1000);
        assert_string_equal(sut_notes, "handler end woken on ");
        hrl_interrupt_detach(LINE);
    }
}

/* A more urgent handler in the middle of another: the thread that it wakes waits for both. */
static void give(void *argument)
{
    (void)argument;
    sut_note("give");
    (void)hrl_semaphore_give(&semaphore);
    sut_note("given");
}

static void raise_other(void *argument)
{
    (void)argument;
    sut_note("outer");
    (void)hrl_interrupt_raise(OTHER);
    sut_note("end");
}

static void nest(void *argument)
{
    (void)argument;
    hrl_interrupt_attach(LINE, raise_other, NULL);
    hrl_interrupt_attach(OTHER, give, NULL);
    (void)hrl_interrupt_enable(LINE, 1);
    (void)hrl_interrupt_enable(OTHER, 2);
    (void)hrl_interrupt_raise(LINE);
    sut_note("on");
}

static void take(void *argument)
{
    (void)argument;
    (void)hrl_semaphore_take(&semaphore, HRL_FOREVER);
    sut_note("taken");
}

static void test_the_dispatch_waits_for_the_last_handlers_end(void **state)
{
    (void)state;
    set_up();
    sut_start("taker", 2, take, NULL);
    sut_start("nest", 1, nest, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "outer give given end taken on ");
}

static void attach_twice(void *argument)
{
    hrl_interrupt_attach(LINE, note, argument);
    hrl_interrupt_attach(LINE, note, argument);
}

static void attach_to_a_cell(void *argument)
{
    hrl_interrupt_attach(HRLP_HOST_CLOCK_LINE, note, argument);
}

static void attach_to_no_line(void *argument)
{
    hrl_interrupt_attach(OTHER + 1, note, argument);
}

static void attach_nothing(void *argument)
{
    hrl_interrupt_attach(LINE, NULL, argument);
}

static void detach_no_line(void *argument)
{
    (void)argument;
    hrl_interrupt_detach(OTHER + 1);
}

static void test_misuse_is_stopped(void **state)
{
    static const struct {
        void (*call)(void *argument);
        const char *reason;
    } cases[] = {
        {attach_twice, "hrl_interrupt_attach: the line has a handler already"},
        {attach_to_a_cell, "hrl_interrupt_attach: the line's handler is defined by name"},
        {attach_to_no_line, "an interrupt line that does not exist"},
        {attach_nothing, "hrl_interrupt_attach: handler is NULL"},
        {detach_no_line, "an interrupt line that does not exist"},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_up();
        sut_start("culprit", 1, cases[i].call, NULL);
        sut_run_to_assertion(1000, cases[i].reason);
        (void)tear_down(state);
    }
}

static void enable_without(void *argument)
{
    (void)argument;
    (void)hrl_interrupt_enable(LINE, 1);
    (void)hrl_interrupt_raise(LINE);
    _exit(0);
}

/*
 * Where a build counts the lines that were run (tests/coverage.py), an end by the signal would lose
 * the counts.
 */
extern int __llvm_profile_write_file(void) __attribute__((weak));

static void end(int number)
{
    if (__llvm_profile_write_file != NULL) {
        (void)__llvm_profile_write_file();
    }
    _exit(number == SIGABRT ? 7 : 1);
}

static void test_an_unhandled_line_is_a_fault_that_names_it(void **state)
{
    int channel[2], status;
    char text[200] = "";
    pid_t child;

    (void)state;
    assert_int_equal(pipe(channel), 0);
    child = fork();
    if (child == 0) {
        dup2(channel[1], 2);
        signal(SIGABRT, end);
        set_up();
        sut_start("culprit", 1, enable_without, NULL);
        sut_run(1000);
        _exit(0);
    }
    close(channel[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(read(channel[0], text, sizeof text - 1) > 0);
    close(channel[0]);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    assert_non_null(strstr(text, "no handler for interrupt line 9"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_each_line_has_its_function_and_argument, tear_down),
        cmocka_unit_test_teardown(test_a_line_can_be_attached_anew, tear_down),
        cmocka_unit_test_teardown(test_what_a_handler_wakes_runs_at_its_end, tear_down),
        cmocka_unit_test_teardown(test_the_dispatch_waits_for_the_last_handlers_end, tear_down),
        cmocka_unit_test_teardown(test_misuse_is_stopped, tear_down),
        cmocka_unit_test(test_an_unhandled_line_is_a_fault_that_names_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
