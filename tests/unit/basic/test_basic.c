/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "lines_under_test.h"
#include "with_cmocka.h"
#include <hrl/event.h>
#include <hrl/message_queue.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>

/* Basic tasks as applications use them, on a controller or served by threads: the same suite. */

static void high(void)
{
    sut_note("high");
}

static void first(void)
{
    sut_note("first");
}

static void second(void)
{
    sut_note("second");
}

static void third(void)
{
    sut_note("third");
}

enum { HIGH, FIRST, SECOND, THIRD };

static void add_four(void)
{
    lut_reset();
    lut_add((struct lut_task){.name = "high", .level = 5, .body = high});
    lut_add((struct lut_task){.name = "first", .level = 2, .body = first});
    lut_add((struct lut_task){.name = "second", .level = 2, .body = second});
    lut_add((struct lut_task){.name = "third", .level = 2, .body = third});
}

static void run(void (*thread)(void *argument))
{
    lut_build();
    sut_start("activator", 3, thread, NULL);
    assert_string_equal(sut_run(1000), "done");
}

static void activate_one(void *argument)
{
    (void)argument;
    sut_note("before");
    assert_int_equal(hrl_basic_activate(lut_task(FIRST)), HRL_OK);
    sut_note("after");
    assert_null(hrl_basic_current());
}

static void test_a_thread_finds_the_task_ended(void **state)
{
    (void)state;
    add_four();
    run(activate_one);
    assert_string_equal(sut_notes, "before first after ");
}

static void activate_four(void *argument)
{
    const struct hrl_basic *const tasks[] = {lut_task(THIRD), lut_task(FIRST), lut_task(HIGH),
                                             lut_task(SECOND)};

    (void)argument;
    assert_int_equal(hrl_basic_activate_all(tasks, 4), HRL_OK);
    sut_note("|");
    assert_int_equal(hrl_basic_activate_all(tasks, 2), HRL_OK);
}

static void test_the_order_is_that_of_levels_and_ranks(void **state)
{
    (void)state;
    add_four();
    run(activate_four);
    assert_string_equal(sut_notes, "high first second third | first third ");
}

static void activate_above(void)
{
    sut_note("(");
    (void)hrl_basic_activate(lut_task(HIGH));
    (void)hrl_basic_activate(lut_task(THIRD));
    (void)hrl_basic_activate(lut_task(FIRST));
    sut_note(")");
}

static void activate_second(void *argument)
{
    (void)argument;
    (void)hrl_basic_activate(lut_task(SECOND));
}

static void test_a_higher_level_interrupts_and_ranks_wait(void **state)
{
    (void)state;
    lut_reset();
    lut_add((struct lut_task){.level = 5, .body = high});
    lut_add((struct lut_task){.level = 2, .body = first});
    lut_add((struct lut_task){.level = 2, .body = activate_above});
    lut_add((struct lut_task){.level = 2, .body = third});
    run(activate_second);
    assert_string_equal(sut_notes, "( high ) first third ");
}

static void test_before_the_start_is_early_enough(void **state)
{
    (void)state;
    add_four();
    lut_build();
    assert_int_equal(hrl_basic_activate(lut_task(SECOND)), HRL_OK);
    assert_int_equal(hrl_basic_activate(lut_task(HIGH)), HRL_OK);
    sut_run(1000);
    assert_string_equal(sut_notes, "high second ");
}

/* Over its limit. */

static void activate_itself(void)
{
    enum hrl_status status = hrl_basic_activate(hrl_basic_current());

    sut_note(status == HRL_OK ? "ok" : "full");
}

static void test_a_running_task_counts(void **state)
{
    (void)state;
    lut_reset();
    lut_add((struct lut_task){.level = 5, .body = high});
    lut_add((struct lut_task){.level = 2, .body = activate_itself});
    run(activate_one);
    assert_string_equal(sut_notes, "before full after ");
    assert_int_equal(hrl_basic_overruns(lut_task(FIRST)), 1);
    assert_int_equal(lut_overrun_hooks[FIRST], 1);
}

static void yield(void)
{
    hrl_thread_yield();
}

static void test_before_the_start_no_basic_task_runs(void **state)
{
    (void)state;
    add_four();
    lut_build();
    assert_null(hrl_basic_current());
    sut_call_to_assertion(yield, "hrl_thread_yield: for threads, not the idle thread");
}

static void activate_high(void *argument)
{
    (void)argument;
    (void)hrl_basic_activate(lut_task(HIGH));
}

static void test_a_task_alone_has_a_name(void **state)
{
    (void)state;
    lut_reset();
    lut_add((struct lut_task){.name = "alone", .level = 5, .alone = true, .body = lut_note_name});
    run(activate_high);
    assert_string_equal(sut_notes, "alone ");
}

static void activate_alone_twice(void *argument)
{
    const struct hrl_basic *const both[] = {lut_task(FIRST), lut_task(HIGH)};
    hrlp_irq_state state = hrlp_irq_lock();

    (void)argument;
    assert_int_equal(hrl_basic_activate(lut_task(HIGH)), HRL_OK);
    assert_int_equal(hrl_basic_activate(lut_task(HIGH)), HRL_FULL);
    assert_int_equal(hrl_basic_activate_all(both, 2), HRL_FULL);
    hrlp_irq_unlock(state);
    sut_note("after");
}

static void test_a_task_alone_on_its_line(void **state)
{
    (void)state;
    lut_reset();
    lut_add((struct lut_task){.level = 5, .alone = true, .body = high});
    lut_add((struct lut_task){.level = 2, .body = first});
    run(activate_alone_twice);
    assert_string_equal(sut_notes, "high first after ");
    assert_int_equal(hrl_basic_overruns(lut_task(HIGH)), 2);
    assert_int_equal(hrl_basic_overruns(lut_task(FIRST)), 0);
}

static unsigned jobs;

static void count_jobs(void)
{
    if (jobs++ == 0) {
        assert_int_equal(hrl_basic_activate(lut_task(SECOND)), HRL_OK);
        assert_int_equal(hrl_basic_activate(lut_task(SECOND)), HRL_OK);
        assert_int_equal(hrl_basic_activate(lut_task(SECOND)), HRL_FULL);
        (void)hrl_basic_activate(lut_task(FIRST));
    }
    sut_note("job");
}

static void test_activations_wait_up_to_the_limit(void **state)
{
    (void)state;
    lut_reset();
    jobs = 0;
    lut_add((struct lut_task){.level = 5, .body = high});
    lut_add((struct lut_task){.level = 2, .body = first});
    lut_add((struct lut_task){.level = 2, .limit = 3, .body = count_jobs});
    run(activate_second);
    assert_string_equal(sut_notes, "job first job job ");
    assert_int_equal(hrl_basic_overruns(lut_task(SECOND)), 1);
}

/* Other contexts. */

static void activate_in_interrupt(void)
{
    (void)hrl_basic_activate(lut_task(HIGH));
    (void)hrl_basic_activate(lut_task(FIRST));
    sut_note(hrl_basic_current() == NULL ? "none" : hrl_basic_name(hrl_basic_current()));
}

static void consume_long(void)
{
    sut_note("long");
    sut_interrupt_in(10, activate_in_interrupt);
    hrlp_host_consume(100);
    sut_note("end");
}

static void test_an_interrupt_activates(void **state)
{
    (void)state;
    lut_reset();
    lut_add((struct lut_task){.name = "high", .level = HRL_INTERRUPT_KERNEL, .body = high});
    lut_add((struct lut_task){.name = "first", .level = 2, .body = first});
    lut_add((struct lut_task){.name = "long", .level = 2, .body = consume_long});
    run(activate_second);
    assert_string_equal(sut_notes, "long long high end first ");
}

HRL_SEMAPHORE_DEFINE(semaphore, 0, 9);
HRL_EVENT_DEFINE(event);
HRL_MESSAGE_QUEUE_DEFINE(queue, 4, 2);

static void wake_all(void)
{
    uint32_t message = 7;

    assert_int_equal(hrl_semaphore_give(&semaphore), HRL_OK);
    hrl_event_set(&event, 2);
    assert_int_equal(hrl_message_send(&queue, &message, HRL_NO_WAIT), HRL_OK);
    sut_note("woke");
}

static void wait_for_all(void *argument)
{
    uint32_t message = 0;

    (void)argument;
    assert_int_equal(hrl_semaphore_take(&semaphore, HRL_FOREVER), HRL_OK);
    sut_note("semaphore");
    assert_int_equal(hrl_event_wait(&event, 2, 0, HRL_FOREVER, NULL), HRL_OK);
    sut_note("event");
    assert_int_equal(hrl_message_receive(&queue, &message, HRL_FOREVER), HRL_OK);
    assert_int_equal(message, 7);
    sut_note("message");
}

static void test_a_basic_task_wakes_threads(void **state)
{
    (void)state;
    lut_reset();
    semaphore = (struct hrl_semaphore){.limit = 9};
    lut_add((struct lut_task){.level = 5, .body = high});
    lut_add((struct lut_task){.level = 2, .body = wake_all});
    lut_build();
    sut_start("waiter", 9, wait_for_all, NULL);
    sut_start("activator", 3, activate_one, NULL);
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "before woke semaphore event message after ");
}

/* What a basic task may not do: the reason, and its name. */

static void body_that_waits(void)
{
    (void)hrl_semaphore_take(&semaphore, HRL_FOREVER);
}

static void body_that_sleeps(void)
{
    hrl_thread_sleep_for(10);
}

static void body_that_yields(void)
{
    hrl_thread_yield();
}

static void body_that_exits(void)
{
    hrl_thread_exit();
}

static void body_that_ends_its_release(void)
{
    (void)hrl_release_wait();
}

static void expect_wrong(void (*body)(void), const char *reason)
{
    lut_reset();
    semaphore = (struct hrl_semaphore){.limit = 9};
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    lut_add((struct lut_task){.level = 5, .body = high});
    lut_add((struct lut_task){.name = "wrong", .level = 2, .body = body});
    lut_build();
    sut_start("activator", 3, activate_one, NULL);
    sut_run_to_assertion(1000, reason);
    assert_string_equal(sut_asserted_in, "wrong");
}

static void test_a_basic_task_does_not_wait(void **state)
{
    (void)state;
    expect_wrong(body_that_waits,
                 "hrl_semaphore_take that may wait: for threads, not the idle thread");
    expect_wrong(body_that_sleeps, "hrl_thread_sleep_for: for threads, not the idle thread");
    expect_wrong(body_that_yields, "hrl_thread_yield: for threads, not the idle thread");
    expect_wrong(body_that_exits, "hrl_thread_exit: for threads, not the idle thread");
    expect_wrong(body_that_ends_its_release, "hrl_release_wait: for periodic threads");
}

static void test_a_cells_own_task_is_not_activated(void **state)
{
    (void)state;
    add_four();
    lut_build();
    lut_give_to_cell(FIRST);
    sut_start("activator", 3, activate_one, NULL);
    sut_run_to_assertion(1000, "a basic task that is its cell's interrupt cannot be activated");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_thread_finds_the_task_ended),
        cmocka_unit_test(test_the_order_is_that_of_levels_and_ranks),
        cmocka_unit_test(test_a_higher_level_interrupts_and_ranks_wait),
        cmocka_unit_test(test_before_the_start_is_early_enough),
        cmocka_unit_test(test_a_running_task_counts),
        cmocka_unit_test(test_a_task_alone_on_its_line),
        cmocka_unit_test(test_before_the_start_no_basic_task_runs),
        cmocka_unit_test(test_a_task_alone_has_a_name),
        cmocka_unit_test(test_activations_wait_up_to_the_limit),
        cmocka_unit_test(test_an_interrupt_activates),
        cmocka_unit_test(test_a_basic_task_wakes_threads),
        cmocka_unit_test(test_a_basic_task_does_not_wait),
        cmocka_unit_test(test_a_cells_own_task_is_not_activated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
