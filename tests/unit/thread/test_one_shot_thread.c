/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "one_shot_thread.h"
#include "sorted_list.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <string.h>

/* The clock stands: it is the instants that come early or late. */
enum { FAR = 1000 };
static struct hrl_thread idle, low;
static struct hrli_periodic_thread high, other;
static struct hrli_sorted_list list;
static struct hrli_one_shot releaser;
static struct hrl_thread *left;
static hrl_stamp armed;
static unsigned arms, asked;
static int by_general; /* its address is what the general handler returns */

static bool insert(void *queue, struct hrli_queue_node *node)
{
    return hrli_sorted_list_insert(queue, node);
}

static struct hrli_queue_node *first(void *queue)
{
    return hrli_sorted_list_first(queue);
}

static void pop(void *queue, struct hrli_queue_node *node)
{
    hrli_sorted_list_pop(queue, node);
}

static const struct hrli_store store = {.insert = insert, .first = first, .pop = pop};

static void arm(hrl_stamp due)
{
    armed = due;
    arms++;
}

static void note_leaving(struct hrl_thread *thread)
{
    assert_ptr_equal(thread, hrli_core.running);
    left = thread;
}

static hrlp_cpu_at_end general(void)
{
    asked++;
    return &by_general;
}

static hrlp_cpu_at_end interrupt(uint32_t span)
{
    const struct hrli_one_shot_cell cell = {arm, NULL, span, &hrli_core.ready, NULL};

    return hrli_one_shot_thread_interrupt(&releaser, &list, &store, &cell, note_leaving, general);
}

static void ready(struct hrl_thread *thread, uint32_t level)
{
    thread->ready.priority = level;
    hrli_ready_add(&hrli_core.ready, &thread->ready);
}

static void wait_for(struct hrli_periodic_thread *thread, uint32_t level, hrl_stamp due)
{
    memset(thread, 0, sizeof *thread);
    thread->thread.ready.priority = level;
    thread->thread.stack_pointer = thread; /* anything unique */
    thread->waiter.node.key = due;
    (void)insert(&list, &thread->waiter.node);
}

/* At an instant of the releaser, `low` runs, `high` is due, and `other` later. */
static int set_up(void **state)
{
    (void)state;
    hrlp_irq_unlock(HRLP_IRQ_UNLOCKED); /* as where handlers nest */
    memset(&hrli_core, 0, sizeof hrli_core);
    memset(&releaser, 0, sizeof releaser);
    memset(&idle, 0, sizeof idle);
    memset(&low, 0, sizeof low);
    hrli_sorted_list_init(&list);
    hrli_ready_init(&hrli_core.ready);
    ready(&idle, 0);
    ready(&low, 3);
    hrli_core.running = &low;
    hrli_core.threshold = 3;
    releaser.base.ready = &hrli_core.ready;
    wait_for(&high, 9, hrlp_clock_read());
    wait_for(&other, 8, hrlp_clock_read() + FAR);
    left = NULL;
    arms = asked = 0;
    return 0;
}

static void assert_released(void)
{
    assert_ptr_equal(first(&list), &other.waiter.node);
    assert_int_equal(high.waiter.released, high.waiter.node.key);
    assert_int_equal(releaser.base.served, high.waiter.node.key);
    assert_true(hrli_ready_is_in(&hrli_core.ready, &high.thread.ready));
    assert_int_equal(arms, 1);
    assert_int_equal(asked, 0);
}

static void test_the_usual_case_is_a_release_and_a_switch(void **state)
{
    (void)state;
    assert_ptr_equal(interrupt(UINT32_C(1) << 31), &high);
    assert_released();
    assert_int_equal(armed, other.waiter.node.key);
    assert_ptr_equal(left, &low);
    assert_ptr_equal(hrli_core.running, &high.thread);
    assert_int_equal(hrli_core.threshold, 9);
    assert_ptr_equal(low.stack_pointer, hrlp_cpu_saved_at_end());
    assert_int_equal(releaser.base.next, 0); /* such a cell is armed for no hops */
}

static void test_a_narrow_cell_is_armed_for_a_hop(void **state)
{
    (void)state;
    assert_ptr_equal(interrupt(FAR - 10), &high);
    assert_released();
    assert_int_equal(armed,
                     hrlp_clock_read() + FAR / 2); /* halfway: FAR is less than two spans ahead */
    assert_int_equal(releaser.base.next, armed);
}

static void test_a_thread_that_is_not_more_urgent_waits_for_its_turn(void **state)
{
    (void)state;
    hrli_core.threshold = 9;
    assert_ptr_equal(interrupt(UINT32_C(1) << 31), hrlp_cpu_stay());
    assert_released();
    assert_null(left);
    assert_ptr_equal(hrli_core.running, &low);
}

static void test_the_first_of_its_level_goes_on(void **state)
{
    struct hrl_thread before = {.stack_pointer = &before};

    (void)state;
    ready(&before, 9); /* by an interrupt that has asked for a switch */
    assert_ptr_equal(interrupt(UINT32_C(1) << 31), &before);
    assert_released();
    assert_ptr_equal(hrli_core.running, &before);
}

/* A give unlocks, then asks for the switch: the interrupt comes between the two. */
static void test_a_more_urgent_one_goes_on_though_no_switch_was_asked_for(void **state)
{
    struct hrl_thread woken = {.stack_pointer = &woken};

    (void)state;
    ready(&woken, 12);
    assert_ptr_equal(interrupt(UINT32_C(1) << 31), &woken);
    assert_released();
    assert_ptr_equal(hrli_core.running, &woken);
    assert_int_equal(hrli_core.threshold, 12);
}

/* Nothing has changed, and the general handler does what is to be done. */
static void assert_general(void)
{
    struct hrli_queue_node *waits = first(&list);

    assert_ptr_equal(interrupt(UINT32_C(1) << 31), &by_general);
    assert_int_equal(asked, 1);
    assert_int_equal(arms, 0);
    assert_null(left);
    assert_ptr_equal(first(&list), waits);
    assert_int_equal(releaser.base.served, 0);
    assert_ptr_equal(hrli_core.running, &low);
}

static void test_a_store_that_a_thread_uses(void **state)
{
    (void)state;
    releaser.base.busy = true;
    assert_general();
}

static void test_an_instant_that_is_not_due(void **state)
{
    (void)state;
    high.waiter.node.key += HRLP_CELL_EARLY_COUNTS;
    assert_ptr_equal(interrupt(UINT32_C(1) << 31), &high);
    (void)set_up(state);
    high.waiter.node.key += HRLP_CELL_EARLY_COUNTS + 1u;
    assert_general();
}

static void test_an_empty_store(void **state)
{
    (void)state;
    hrli_sorted_list_init(&list);
    assert_general();
}

/* One is released; the general handler does the rest. */
static void assert_rest(struct hrli_queue_node *rest)
{
    assert_ptr_equal(interrupt(UINT32_C(1) << 31), &by_general);
    assert_int_equal(asked, 1);
    assert_int_equal(arms, 0);
    assert_null(left);
    assert_ptr_equal(first(&list), rest);
    assert_int_equal(releaser.base.served, high.waiter.node.key);
    assert_true(hrli_ready_is_in(&hrli_core.ready, &high.thread.ready));
}

static void test_the_next_is_due_too(void **state)
{
    (void)state;
    other.waiter.node.key = high.waiter.node.key;
    assert_rest(&other.waiter.node);
}

static void test_no_other_waits(void **state)
{
    (void)state;
    hrli_sorted_list_remove(&list, &other.waiter.node);
    assert_rest(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_usual_case_is_a_release_and_a_switch, set_up),
        cmocka_unit_test_setup(test_a_narrow_cell_is_armed_for_a_hop, set_up),
        cmocka_unit_test_setup(test_a_thread_that_is_not_more_urgent_waits_for_its_turn, set_up),
        cmocka_unit_test_setup(test_the_first_of_its_level_goes_on, set_up),
        cmocka_unit_test_setup(test_a_more_urgent_one_goes_on_though_no_switch_was_asked_for,
                               set_up),
        cmocka_unit_test_setup(test_a_store_that_a_thread_uses, set_up),
        cmocka_unit_test_setup(test_an_instant_that_is_not_due, set_up),
        cmocka_unit_test_setup(test_an_empty_store, set_up),
        cmocka_unit_test_setup(test_the_next_is_due_too, set_up),
        cmocka_unit_test_setup(test_no_other_waits, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
