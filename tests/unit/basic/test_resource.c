/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "lines_under_test.h"
#include "with_cmocka.h"
#include <hrl/resource.h>
#include <hrl/semaphore.h>

/* Resources: which tasks a holder holds off; on a controller by its ceiling. */

HRL_RESOURCE_DEFINE(middle, 4);
HRL_RESOURCE_DEFINE(top, 8);
HRL_SEMAPHORE_DEFINE(semaphore, 0, 1);

enum { TOP, HIGH, MIDDLE, LOW };

static void note_top(void)
{
    sut_note("top");
}

static void note_high(void)
{
    sut_note("high");
}

static void note_middle(void)
{
    sut_note("middle");
}

static void activate_others(void)
{
    (void)hrl_basic_activate(lut_task(MIDDLE));
    (void)hrl_basic_activate(lut_task(HIGH));
    (void)hrl_basic_activate(lut_task(TOP));
}

static void hold(void)
{
    hrl_resource_take(&middle);
    activate_others();
    sut_note("held");
    hrl_resource_give(&middle);
    sut_note("given");
}

static void nest(void)
{
    hrl_resource_take(&middle);
    hrl_resource_take(&top);
    activate_others();
    sut_note("both");
    hrl_resource_give(&top);
    sut_note("one");
    hrl_resource_give(&middle);
    sut_note("none");
}

static void nest_the_other_way(void)
{
    hrl_resource_take(&top);
    hrl_resource_take(&middle);
    activate_others();
    sut_note("both");
    hrl_resource_give(&middle);
    sut_note("one");
    hrl_resource_give(&top);
    sut_note("none");
}

static void reset(void (*low)(void))
{
    lut_reset();
    middle = (struct hrl_resource){.ceiling = 4};
    top = (struct hrl_resource){.ceiling = 8};
    lut_add((struct lut_task){.name = "top", .level = 8, .body = note_top});
    lut_add((struct lut_task){.name = "high", .level = 5, .body = note_high});
    lut_add((struct lut_task){.name = "middle", .level = 4, .body = note_middle});
    lut_add((struct lut_task){.name = "low", .level = 2, .may_end = true, .body = low});
    lut_build();
}

static void activate_low(void *argument)
{
    (void)argument;
    (void)hrl_basic_activate(lut_task(LOW));
    sut_note("|");
}

static void run(void (*low)(void))
{
    reset(low);
    sut_start("activator", 3, activate_low, NULL);
    assert_string_equal(sut_run(1000), "done");
}

static void test_the_ceiling_holds_off_what_is_not_above_it(void **state)
{
    (void)state;
    run(hold);
    assert_string_equal(sut_notes, "high top held middle given | ");
}

static void test_resources_nest(void **state)
{
    (void)state;
    run(nest);
    assert_string_equal(sut_notes, "both top high one middle none | ");
    run(nest_the_other_way);
    assert_string_equal(sut_notes, "both one top high middle none | ");
}

static void take_in_thread(void *argument)
{
    (void)argument;
    hold();
    sut_note("|");
}

static void test_a_thread_shares_with_basic_tasks(void **state)
{
    (void)state;
    reset(note_high);
    sut_start("thread", 3, take_in_thread, NULL);
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "high top held middle given | ");
}

static void take_below_all(void *argument)
{
    (void)argument;
    middle.ceiling = 1;
    hold();
}

static void test_a_ceiling_below_all_tasks_holds_off_none(void **state)
{
    (void)state;
    reset(note_high);
    sut_start("thread", 3, take_below_all, NULL);
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "middle high top held given ");
}

static void raise_in_interrupt(void)
{
    activate_others();
    sut_note("raised");
}

static void hold_long(void)
{
    hrl_resource_take(&middle);
    sut_interrupt_in(10, raise_in_interrupt);
    hrlp_host_consume(100);
    sut_note("held");
    hrl_resource_give(&middle);
    sut_note("given");
}

static void test_interrupts_come_meanwhile(void **state)
{
    (void)state;
    run(hold_long);
    /* Of the machine's controller the cell is at level 3, which is held off, too. */
    assert_string_equal(sut_notes, HRLP_LINE_CONTROLLER ? "held middle high top raised given | "
                                                        : "raised top high held middle given | ");
}

/* What is wrong stops, with the task's name. */

static void end_with_it(void)
{
    hrl_resource_take(&middle);
}

static void terminate_with_it(void)
{
    hrl_resource_take(&middle);
    hrl_basic_terminate();
}

static void chain_with_it(void)
{
    hrl_resource_take(&middle);
    (void)hrl_basic_chain(lut_task(HIGH));
}

static void give_in_the_wrong_order(void)
{
    hrl_resource_take(&middle);
    hrl_resource_take(&top);
    hrl_resource_give(&middle);
}

static void give_what_was_not_taken(void)
{
    hrl_resource_give(&middle);
}

static void take_twice(void)
{
    hrl_resource_take(&middle);
    hrl_resource_take(&top);
    hrl_resource_take(&middle);
}

static void take_from_above(void)
{
    middle.ceiling = 1;
    hrl_resource_take(&middle);
}

static void take_what_has_no_level(void)
{
    middle.ceiling = 0;
    hrl_resource_take(&middle);
}

static void take_what_is_above_all(void)
{
    middle.ceiling = HRLP_LINE_LEVELS + 1u;
    hrl_resource_take(&middle);
}

static void expect_wrong(void (*low)(void), const char *reason)
{
    reset(low);
    sut_start("activator", 3, activate_low, NULL);
    sut_run_to_assertion(1000, reason);
    assert_string_equal(sut_asserted_in, "low");
}

static void take_in_interrupt(void)
{
    hrl_resource_take(&middle);
}

static void wait_for_interrupt(void *argument)
{
    (void)argument;
    sut_interrupt_in(10, take_in_interrupt);
    hrlp_host_consume(100);
}

static void wait_with_it(void *argument)
{
    (void)argument;
    hrl_resource_take(&middle);
    (void)hrl_semaphore_take(&semaphore, HRL_FOREVER);
}

static void test_a_thread_that_holds_one_does_not_wait(void **state)
{
    (void)state;
    reset(note_high);
    sut_start("thread", 3, wait_with_it, NULL);
    sut_run_to_assertion(1000, "hrl_semaphore_take that may wait: not with a resource held");
    assert_string_equal(sut_asserted_in, "thread");
}

static void take_it(void)
{
    hrl_resource_take(&middle);
}

static void test_a_thread_that_holds_one_does_not_end_a_job(void **state)
{
    (void)state;
    reset(note_high);
    sut_add_releaser((struct sut_releaser){.cell_period = 1000});
    sut_add_task(
        (struct sut_task){.level = 3, .period = sut_period(1000, 1), .cost = 10, .body = take_it});
    sut_run_to_assertion(1000, "the end of a job that holds a resource");
}

static void exit_with_it(void *argument)
{
    (void)argument;
    hrl_resource_take(&middle);
}

static void yield_with_it(void *argument)
{
    (void)argument;
    hrl_resource_take(&middle);
    hrl_thread_yield();
}

static void sink_with_it(void *argument)
{
    (void)argument;
    hrl_resource_take(&middle);
    hrl_thread_set_priority(hrl_thread_current(), 2);
}

static void test_a_thread_that_holds_one_does_not_end_or_give_way(void **state)
{
    static const struct {
        void (*entry)(void *argument);
        const char *reason;
    } cases[] = {{exit_with_it, "hrl_thread_exit: not with a resource held"},
                 {yield_with_it, "hrl_thread_yield: not with a resource held"},
                 {sink_with_it, "hrl_thread_set_priority of the caller: not with a resource held"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reset(note_high);
        sut_start("thread", 3, cases[i].entry, NULL);
        sut_run_to_assertion(1000, cases[i].reason);
    }
}

static void test_what_is_wrong(void **state)
{
    (void)state;
    expect_wrong(end_with_it, "the end of a basic task that holds a resource");
    expect_wrong(terminate_with_it, "the end of a basic task that holds a resource");
    expect_wrong(chain_with_it, "the end of a basic task that holds a resource");
    expect_wrong(give_in_the_wrong_order, "resources must be given back in reverse order");
    expect_wrong(give_what_was_not_taken, "resources must be given back in reverse order");
    expect_wrong(take_twice, "hrl_resource_take: the resource is taken already");
    expect_wrong(take_from_above,
                 "hrl_resource_take: the caller's priority is above the resource's ceiling");
    expect_wrong(take_what_has_no_level, "a resource's ceiling is a priority of basic tasks");
    expect_wrong(take_what_is_above_all, "a resource's ceiling is a priority of basic tasks");
    reset(note_high);
    sut_start("thread", 3, wait_for_interrupt, NULL);
    sut_run_to_assertion(1000, "hrl_resource_take: for basic tasks and threads");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_ceiling_holds_off_what_is_not_above_it),
        cmocka_unit_test(test_resources_nest),
        cmocka_unit_test(test_a_thread_shares_with_basic_tasks),
        cmocka_unit_test(test_a_ceiling_below_all_tasks_holds_off_none),
        cmocka_unit_test(test_interrupts_come_meanwhile),
        cmocka_unit_test(test_a_thread_that_holds_one_does_not_wait),
        cmocka_unit_test(test_a_thread_that_holds_one_does_not_end_a_job),
        cmocka_unit_test(test_a_thread_that_holds_one_does_not_end_or_give_way),
        cmocka_unit_test(test_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
