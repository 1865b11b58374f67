/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "single_thread.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <string.h>

/* The clock stands: it is the instants that come early or late. */
enum { PERIOD = 1000 };
static struct hrl_thread idle, low;
static struct hrli_periodic_thread high;
static struct hrli_waiter *waiting;
static struct hrli_periodic releaser;
static struct hrl_thread *left;
static void *asked; /* what the general handler got */
static int stack;

static void ready(struct hrl_thread *thread, uint32_t level)
{
    thread->ready.priority = level;
    hrli_ready_add(&hrli_core.ready, &thread->ready);
}

static void note_leaving(struct hrl_thread *thread)
{
    assert_ptr_equal(thread, hrli_core.running);
    left = thread;
}

static struct hrlp_cpu_end general(void *interrupted)
{
    asked = interrupted;
    return (struct hrlp_cpu_end){NULL, interrupted};
}

static struct hrlp_cpu_end interrupt(void)
{
    return hrli_single_thread_interrupt(&stack, &releaser, &waiting, note_leaving, general);
}

/* At an instant of the releaser, `low` runs and `high` waits. */
static int set_up(void **state)
{
    (void)state;
    memset(&hrli_core, 0, sizeof hrli_core);
    memset(&releaser, 0, sizeof releaser);
    memset(&low, 0, sizeof low);
    memset(&high, 0, sizeof high);
    hrli_ready_init(&hrli_core.ready);
    ready(&idle, 0);
    ready(&low, 3);
    hrli_core.running = &low;
    hrli_core.threshold = 3;
    high.thread.ready.priority = 9;
    high.thread.stack_pointer = &high; /* anything unique */
    waiting = &high.waiter;
    releaser.cell_period = PERIOD;
    releaser.base.next = hrlp_clock_read();
    left = NULL;
    asked = NULL;
    return 0;
}

static void test_the_usual_case_is_a_release_and_a_switch(void **state)
{
    hrl_stamp instant = releaser.base.next;
    struct hrlp_cpu_end end = interrupt();

    (void)state;
    assert_ptr_equal(end.to, &high);
    assert_ptr_equal(end.from, hrlp_cpu_saved(&stack));
    assert_ptr_equal(low.stack_pointer, hrlp_cpu_saved(&stack));
    assert_ptr_equal(hrli_core.running, &high.thread);
    assert_int_equal(hrli_core.threshold, 9);
    assert_ptr_equal(left, &low);
    assert_null(waiting);
    assert_null(asked);
    assert_int_equal(high.waiter.released, instant);
    assert_int_equal(releaser.base.served, instant);
    assert_int_equal(releaser.base.next, instant + PERIOD);
    assert_ptr_equal(hrli_ready_first(&hrli_core.ready), &high.thread.ready);
    hrli_ready_remove(&hrli_core.ready, &high.thread.ready);
    assert_ptr_equal(hrli_ready_first(&hrli_core.ready), &low.ready);
}

/* Nothing has changed, and the general handler does what is to be done. */
static void assert_general(void)
{
    struct hrli_ready_node *first = hrli_ready_first(&hrli_core.ready);
    struct hrli_waiter *waits = waiting;
    hrl_stamp next = releaser.base.next, served = releaser.base.served;
    struct hrlp_cpu_end end = interrupt();

    assert_ptr_equal(asked, &stack);
    assert_null(end.to);
    assert_ptr_equal(end.from, &stack);
    assert_null(left);
    assert_ptr_equal(waiting, waits);
    assert_int_equal(releaser.base.next, next);
    assert_int_equal(releaser.base.served, served);
    assert_ptr_equal(hrli_ready_first(&hrli_core.ready), first);
    assert_ptr_equal(hrli_core.running, &low);
}

static void test_an_instant_that_is_not_due(void **state)
{
    (void)state;
    releaser.base.next += HRLP_CELL_EARLY_COUNTS;
    releaser.base.next++;
    assert_general();
}

static void test_an_instant_that_was_lost(void **state)
{
    (void)state;
    releaser.base.next -= PERIOD - HRLP_CELL_EARLY_COUNTS;
    assert_general();
}

static void test_a_task_that_does_not_wait(void **state)
{
    (void)state;
    waiting = NULL;
    assert_general();
}

static void test_a_task_that_is_not_more_urgent(void **state)
{
    (void)state;
    high.thread.ready.priority = 3;
    assert_general();
    high.thread.ready.priority = 2;
    assert_general();
}

static void test_dispatch_held_off(void **state)
{
    (void)state;
    hrli_core.threshold = HRL_PRIORITIES;
    assert_general();
}

static void test_another_thread_is_as_urgent_and_not_dispatched_yet(void **state)
{
    struct hrl_thread other = {0};

    (void)state;
    ready(&other, 9);
    assert_general();
    hrli_ready_remove(&hrli_core.ready, &other.ready);
    ready(&other, 11);
    assert_general();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_usual_case_is_a_release_and_a_switch, set_up),
        cmocka_unit_test_setup(test_an_instant_that_is_not_due, set_up),
        cmocka_unit_test_setup(test_an_instant_that_was_lost, set_up),
        cmocka_unit_test_setup(test_a_task_that_does_not_wait, set_up),
        cmocka_unit_test_setup(test_a_task_that_is_not_more_urgent, set_up),
        cmocka_unit_test_setup(test_dispatch_held_off, set_up),
        cmocka_unit_test_setup(test_another_thread_is_as_urgent_and_not_dispatched_yet, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
