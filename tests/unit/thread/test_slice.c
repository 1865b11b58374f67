/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "slice.h"
#include "thread.h"
#include "with_cmocka.h"
#include <string.h>

/* The models as a whole: conform/timing. */
static struct hrl_thread idle, first, second, low;

static void ready(struct hrl_thread *thread, uint32_t level)
{
    thread->ready.priority = level;
    hrli_ready_add(&hrli_core.ready, &thread->ready);
}

static struct hrl_thread *front(uint32_t level)
{
    return hrli_thread_of((struct hrli_ready_node *)hrli_core.ready.levels[level].next);
}

static int set_up(void **state)
{
    (void)state;
    hrlp_host_reset(); /* interrupts masked: a switch is only asked for */
    memset(&hrli_core, 0, sizeof hrli_core);
    hrli_ready_init(&hrli_core.ready);
    ready(&idle, 0);
    ready(&low, 3);
    ready(&first, 5);
    hrli_core.running = &first;
    hrli_core.threshold = 5;
    return 0;
}

static void test_a_thread_alone_in_its_level_stays(void **state)
{
    (void)state;
    assert_true(hrli_slice_end());
    assert_ptr_equal(front(5), &first);
    assert_false(hrlp_host_take_switch());
}

static void test_a_thread_with_an_equal_gives_way(void **state)
{
    (void)state;
    ready(&second, 5);
    assert_true(hrli_slice_end());
    assert_ptr_equal(front(5), &second);
    assert_true(hrlp_host_take_switch());
}

static void test_not_while_dispatch_is_held_off(void **state)
{
    (void)state;
    ready(&second, 5);
    hrli_core_lock_dispatch();
    assert_false(hrli_slice_end());
    assert_ptr_equal(front(5), &first);
    assert_false(hrlp_host_take_switch());
}

static void test_not_while_it_is_switched(void **state)
{
    (void)state;
    ready(&second, 5);
    hrli_core.threshold = 0;
    assert_false(hrli_slice_end());
    assert_ptr_equal(front(5), &first);
}

/* As in the middle of a yield. */
static void test_a_thread_that_is_not_the_first_any_more_has_given_way(void **state)
{
    (void)state;
    ready(&second, 5);
    (void)hrli_ready_rotate(&first.ready);
    assert_true(hrli_slice_end());
    assert_ptr_equal(front(5), &second);
    assert_false(hrlp_host_take_switch());
}

/* As between leaving the set and asking for a switch. */
static void test_a_thread_that_waits_already_has_nothing_to_give(void **state)
{
    (void)state;
    ready(&second, 5);
    hrli_ready_remove(&hrli_core.ready, &first.ready);
    assert_true(hrli_slice_end());
    assert_ptr_equal(front(5), &second);
    assert_false(hrlp_host_take_switch());
}

#if HRL_RELEASE_MASKS /* as nodes have the fields */
static struct hrli_ready_node *by_bit[] = {&second.ready, &first.ready};

/* `first` runs as the bit before that of `second`, which is ready. */
static void as_bits(void)
{
    hrli_ready_remove(&hrli_core.ready, &first.ready);
    for (uint32_t i = 0; i < 2; i++) {
        by_bit[i]->priority = by_bit[i]->mask_priority = 5;
        by_bit[i]->mask_bit = (uint32_t)1 << i;
        hrli_ready_add(&hrli_core.ready, by_bit[i]);
    }
    hrli_core.ready.masked.by_bit[5] = by_bit;
}

static void test_a_bit_gives_way(void **state)
{
    (void)state;
    as_bits();
    assert_true(hrli_slice_end());
    assert_ptr_equal(hrli_ready_first(&hrli_core.ready), &second.ready);
    assert_true(hrlp_host_take_switch());
    hrli_core.running = &second;
    assert_true(hrli_slice_end());
    assert_ptr_equal(hrli_ready_first(&hrli_core.ready), &first.ready);
    assert_true(hrlp_host_take_switch());
}

/* Released while the other ran: no thread is preempted by an equal before its slice is over. */
static void test_a_bit_gives_way_to_one_before_it(void **state)
{
    (void)state;
    as_bits();
    hrli_core.running = &second;
    assert_true(hrli_slice_end());
    assert_ptr_equal(hrli_ready_first(&hrli_core.ready), &first.ready);
    assert_true(hrlp_host_take_switch());
}

static void test_a_bit_that_waits_already_has_nothing_to_give(void **state)
{
    (void)state;
    as_bits();
    hrli_ready_remove(&hrli_core.ready, &first.ready);
    assert_true(hrli_slice_end());
    assert_ptr_equal(hrli_ready_first(&hrli_core.ready), &second.ready);
    assert_false(hrlp_host_take_switch());
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_thread_alone_in_its_level_stays, set_up),
        cmocka_unit_test_setup(test_a_thread_with_an_equal_gives_way, set_up),
        cmocka_unit_test_setup(test_not_while_dispatch_is_held_off, set_up),
        cmocka_unit_test_setup(test_not_while_it_is_switched, set_up),
        cmocka_unit_test_setup(test_a_thread_that_is_not_the_first_any_more_has_given_way, set_up),
        cmocka_unit_test_setup(test_a_thread_that_waits_already_has_nothing_to_give, set_up),
#if HRL_RELEASE_MASKS /* as above */
        cmocka_unit_test_setup(test_a_bit_gives_way, set_up),
        cmocka_unit_test_setup(test_a_bit_gives_way_to_one_before_it, set_up),
        cmocka_unit_test_setup(test_a_bit_that_waits_already_has_nothing_to_give, set_up),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
