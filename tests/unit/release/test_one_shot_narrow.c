/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "one_shot_narrow.h"
#include "sorted_list.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <string.h>

/* The clock stands: it is the instants that come early or late. */
enum { SPAN = 32768 };
static struct hrli_periodic_thread first, second, third;
static struct hrli_sorted_list list;
static struct hrli_one_shot releaser;
static hrl_stamp now, far;
static uint32_t armed; /* the lower half of an instant; SPAN << 1: nothing */
static unsigned settled, slow, served;

static bool insert(void *queue, struct hrli_queue_node *node)
{
    return hrli_sorted_list_insert(queue, node);
}

static bool put(void *queue, struct hrli_queue_node *node, hrl_stamp key)
{
    node->key = key;
    return hrli_sorted_list_insert(queue, node);
}

static struct hrli_queue_node *first_of(void *queue)
{
    return hrli_sorted_list_first(queue);
}

static void pop(void *queue, struct hrli_queue_node *node)
{
    hrli_sorted_list_pop(queue, node);
}

static void take_out(void *queue, struct hrli_queue_node *node)
{
    hrli_sorted_list_remove(queue, node);
}

static const struct hrli_store store = {
    .insert = insert, .put = put, .first = first_of, .pop = pop, .remove = take_out};

static void arm_near(uint16_t at, uint16_t left)
{
    armed = (uint16_t)(at + left);
}

static void aim_far(hrl_stamp due)
{
    far = due;
}

static hrl_stamp aimed;

static void note_aim(hrl_stamp due)
{
    aimed = due;
}

static unsigned disarmed;

static void disarm(void)
{
    disarmed++;
}

static const struct hrli_one_shot_aim aim = {&releaser.base, arm_near, note_aim, aim_far, SPAN};
static const struct hrli_one_shot_cell cell = {NULL, disarm, SPAN, &hrli_core.ready, &aim};

static void serve(struct hrli_releaser *served_one)
{
    assert_ptr_equal(served_one, &releaser);
    assert_true(served_one->busy);
    served++;
}

static const struct hrli_releaser_calls calls = {.serve = serve};

static bool settle(struct hrli_waiter *waiter, uint32_t span)
{
    assert_ptr_equal(waiter, &first.waiter);
    assert_int_equal(span, waiter->node.key - now + 100);
    settled++;
    return true;
}

static bool slowly(struct hrli_waiter *waiter, hrl_stamp from, uint32_t span)
{
    assert_int_equal(from + span, waiter->node.key);
    slow++;
    return true;
}

static void prepare(struct hrli_periodic_thread *thread, uint32_t level, hrl_stamp due)
{
    memset(thread, 0, sizeof *thread);
    thread->thread.ready.priority = level;
    thread->waiter.node.key = due;
}

static int set_up(void **state)
{
    (void)state;
    hrlp_irq_unlock(HRLP_IRQ_UNLOCKED);
    memset(&hrli_core, 0, sizeof hrli_core);
    memset(&releaser, 0, sizeof releaser);
    hrli_core.threshold = HRL_PRIORITIES;
    hrli_sorted_list_init(&list);
    hrli_ready_init(&hrli_core.ready);
    releaser.base.ready = &hrli_core.ready;
    releaser.base.calls = &calls;
    now = hrlp_clock_read();
    prepare(&first, 9, now);
    prepare(&second, 8, now);
    prepare(&third, 7, now);
    armed = SPAN << 1;
    settled = slow = served = 0;
    far = now - 1;
    return 0;
}

static void test_what_is_near_is_armed_by_its_lower_half(void **state)
{
    (void)state;
    hrli_one_shot_aim(&aim, now + SPAN);
    assert_int_equal(releaser.base.next, now + SPAN);
    assert_int_equal(armed, (uint16_t)(now + SPAN));
    assert_int_equal(far, now - 1);
}

static void test_what_is_far_or_past_is_left_to_another(void **state)
{
    (void)state;
    hrli_one_shot_aim(&aim, now + SPAN + 1);
    assert_int_equal(far, now + SPAN + 1);
    hrli_one_shot_aim(&aim, now - 2);
    assert_int_equal(far, now - 2);
    assert_int_equal(releaser.base.next, now - 2);
    assert_int_equal(armed, SPAN << 1);
}

static void test_what_is_far_is_reached_in_hops(void **state)
{
    (void)state;
    hrli_one_shot_aim_far(&aim, now + 3 * SPAN);
    assert_int_equal(armed, (uint16_t)(now + SPAN));
    assert_int_equal(releaser.base.next, now + SPAN);
    hrli_one_shot_aim_far(&aim, now + SPAN + 2); /* not to shortly before it */
    assert_int_equal(armed, (uint16_t)(now + SPAN / 2 + 1));
    assert_int_equal(releaser.base.next, now + SPAN / 2 + 1);
}

static void test_what_has_passed_comes_at_once(void **state)
{
    (void)state;
    releaser.base.next = now - 3 * SPAN;
    hrli_one_shot_aim_far(&aim, now - 3 * SPAN);
    assert_int_equal(armed, (uint16_t)(now + 1));
    assert_int_equal(releaser.base.next, now - 3 * SPAN);
}

static void release(void)
{
    hrli_one_shot_serve_narrow(&releaser.base, &list, &store, &cell);
}

static void test_all_that_are_due_are_released(void **state)
{
    static struct hrli_periodic_thread like_first;

    (void)state;
    prepare(&like_first, 6, now - 5);
    first.waiter.node.key = now - 5;
    third.waiter.node.key = now + 1;
    (void)insert(&list, &first.waiter.node);
    (void)insert(&list, &like_first.waiter.node);
    (void)insert(&list, &second.waiter.node);
    (void)insert(&list, &third.waiter.node);
    release();
    assert_ptr_equal(first_of(&list), &third.waiter.node);
    assert_int_equal(first.waiter.released, now - 5);
    assert_int_equal(like_first.waiter.released, now - 5);
    assert_int_equal(second.waiter.released, now);
    assert_int_equal(releaser.base.served, now);
    assert_int_equal(releaser.base.next, now + 1);
    assert_int_equal(armed, (uint16_t)(now + 1));
    assert_true(hrli_ready_is_in(&hrli_core.ready, &first.thread.ready));
    assert_true(hrli_ready_is_in(&hrli_core.ready, &second.thread.ready));
    assert_false(hrli_ready_is_occupied(&hrli_core.ready, 7));
}

static void test_the_next_may_be_far(void **state)
{
    (void)state;
    third.waiter.node.key = now + SPAN + 1;
    (void)insert(&list, &first.waiter.node);
    (void)insert(&list, &third.waiter.node);
    release();
    assert_int_equal(far, now + SPAN + 1);
    assert_int_equal(armed, SPAN << 1);
}

static void test_the_last_one_leaves_nothing(void **state)
{
    (void)state;
    disarmed = 0;
    (void)insert(&list, &first.waiter.node);
    (void)insert(&list, &second.waiter.node);
    release();
    assert_int_equal(disarmed, 1);
    release(); /* none waits */
    assert_int_equal(disarmed, 2);
    assert_int_equal(releaser.base.served, now);
}

static void test_a_hop_is_noted(void **state)
{
    (void)state;
    first.waiter.node.key = now + 1;
    (void)insert(&list, &first.waiter.node);
    releaser.base.served = now - 10;
    releaser.base.next = now - 1;
    release();
    assert_int_equal(aimed, now + 1);
    assert_int_equal(releaser.base.served, now - 1);
}

static bool enqueue(struct hrli_periodic_thread *thread, hrl_stamp from, uint32_t span)
{
    hrli_ready_add(&hrli_core.ready, &thread->thread.ready);
    return hrli_one_shot_enqueue_narrow(&releaser.base, &thread->waiter, from, span, &list, &store,
                                        &cell, settle, slowly);
}

static void test_the_first_asks_the_clock(void **state)
{
    (void)state;
    assert_true(enqueue(&first, now - 100, 200));
    assert_int_equal(settled, 1);
    assert_true(releaser.base.busy);
    assert_false(hrli_ready_is_in(&hrli_core.ready, &first.thread.ready));
}

static void test_another_does_not(void **state)
{
    (void)state;
    first.waiter.node.key = now + 50;
    (void)insert(&list, &first.waiter.node);
    assert_true(enqueue(&second, now - 100, 200));
    assert_int_equal(settled + slow, 0);
    assert_false(releaser.base.busy);
}

static void test_one_that_is_late_by_more_than_stamps_tell_asks_it(void **state)
{
    (void)state;
    first.waiter.node.key = now + 50;
    (void)insert(&list, &first.waiter.node);
    assert_true(enqueue(&second, now + 0x40000000u, 200)); /* 2^32 before */
    assert_int_equal(slow, 1);
}

static void test_one_that_was_interrupted_does_the_rest(void **state)
{
    (void)state;
    first.waiter.node.key = now + 50;
    (void)insert(&list, &first.waiter.node);
    releaser.base.deferred = true;
    assert_true(enqueue(&second, now - 100, 200));
    assert_int_equal(slow, 1);
}

static void test_a_first_one_arms_the_cell(void **state)
{
    (void)state;
    first.waiter.node.key = now + 100;
    releaser.base.busy = true;
    assert_true(hrli_one_shot_settle(&aim, &first.waiter, 200, slowly));
    assert_int_equal(armed, (uint16_t)(now + 100));
    assert_int_equal(releaser.base.next, now + 100);
    assert_false(releaser.base.busy);
    assert_int_equal(slow, 0);
}

static void test_a_first_one_that_is_past_or_far_or_interrupted_does_not(void **state)
{
    static const struct {
        int32_t ahead;
        uint32_t span;
        bool deferred;
    } cases[] = {{0, 200, false},
                 {-1, 200, false},
                 {SPAN + 1, 2 * SPAN, false},
                 {201, 200, false},
                 {100, 200, true}};

    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        first.waiter.node.key = now + (hrl_stamp)cases[i].ahead;
        releaser.base.deferred = cases[i].deferred;
        assert_true(hrli_one_shot_settle(&aim, &first.waiter, cases[i].span, slowly));
        assert_int_equal(slow, i + 1);
        hrlp_irq_unlock(HRLP_IRQ_UNLOCKED);
    }
    assert_int_equal(armed, SPAN << 1);
}

static bool settle_slowly(hrl_stamp from, uint32_t span)
{
    first.waiter.node.key = from + span;
    (void)insert(&list, &first.waiter.node);
    return hrli_one_shot_settle_slowly(&releaser.base, &first.waiter, from, span, &list, &store,
                                       &cell);
}

static void test_a_late_one_is_ready_again(void **state)
{
    (void)state;
    releaser.base.busy = true;
    releaser.base.served = now - 50;
    assert_false(settle_slowly(now - 300, 200));
    assert_null(first_of(&list));
    assert_true(hrli_ready_is_in(&hrli_core.ready, &first.thread.ready));
    assert_int_equal(served, 1);
    assert_false(releaser.base.busy);
}

static void test_one_in_time_is_served_with_the_rest(void **state)
{
    (void)state;
    releaser.base.busy = true;
    assert_true(settle_slowly(now - 100, 200));
    assert_ptr_equal(first_of(&list), &first.waiter.node);
    assert_int_equal(served, 1);
    assert_false(releaser.base.deferred);
}

/* It is in the store, and the interrupt that came since may have served it. */
static void test_one_that_left_the_store_to_an_interrupt_is_in_time(void **state)
{
    (void)state;
    assert_true(settle_slowly(now - 300, 200));
    assert_int_equal(served, 1);
}

int main(void)
{
#define IN_ORDER(test) cmocka_unit_test_setup(test, set_up)
    const struct CMUnitTest tests[] = {
        IN_ORDER(test_what_is_near_is_armed_by_its_lower_half),
        IN_ORDER(test_what_is_far_or_past_is_left_to_another),
        IN_ORDER(test_what_is_far_is_reached_in_hops),
        IN_ORDER(test_what_has_passed_comes_at_once),
        IN_ORDER(test_all_that_are_due_are_released),
        IN_ORDER(test_the_next_may_be_far),
        IN_ORDER(test_the_last_one_leaves_nothing),
        IN_ORDER(test_a_hop_is_noted),
        IN_ORDER(test_the_first_asks_the_clock),
        IN_ORDER(test_another_does_not),
        IN_ORDER(test_one_that_is_late_by_more_than_stamps_tell_asks_it),
        IN_ORDER(test_one_that_was_interrupted_does_the_rest),
        IN_ORDER(test_a_first_one_arms_the_cell),
        IN_ORDER(test_a_first_one_that_is_past_or_far_or_interrupted_does_not),
        IN_ORDER(test_a_late_one_is_ready_again),
        IN_ORDER(test_one_in_time_is_served_with_the_rest),
        IN_ORDER(test_one_that_left_the_store_to_an_interrupt_is_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
