/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ready_queue.h"
#include "with_cmocka.h"
#include <string.h>

/* Threads that are always alone on their levels; in builds with HRL_RELEASE_PRIORITIES only. */

enum { NODES = 4, LEVELS_WORD = HRLI_MASK_WORDS - 1 };

static const uint32_t level_of[NODES] = {0, 3, 17, HRL_PRIORITIES - 1};
static struct hrli_ready_queue set;
static struct hrli_ready_node nodes[NODES];

/* All stand alone on their levels, and none is ready. */
static void prepare(void)
{
    memset(&set, 0, sizeof set);
    memset(nodes, 0, sizeof nodes);
    hrli_ready_init(&set);
    for (unsigned i = 0; i < NODES; i++) {
        nodes[i].priority = nodes[i].base_priority = level_of[i];
        nodes[i].mask_priority = HRLI_MASK_LEVELS;
        nodes[i].mask_bit = (uint32_t)1 << level_of[i];
        hrli_ready_stand_alone(&set, &nodes[i]);
    }
}

static void expect_ready(uint32_t levels)
{
    assert_int_equal(set.occupied[0], levels);
    for (unsigned i = 0; i < NODES; i++) {
        bool is_ready = (levels & (uint32_t)1 << level_of[i]) != 0;

        assert_int_equal(hrli_ready_contains(&set, &nodes[i]), is_ready);
    }
}

static void test_none_is_ready_before_its_release(void **state)
{
    (void)state;
    prepare();
    expect_ready(0);
    assert_int_equal(set.masked.waiting[LEVELS_WORD], 0);
}

static void test_of_a_mask_the_waiting_threads_are_released(void **state)
{
    struct hrli_mask_part part = {HRLI_MASK_LEVELS, 1u << 3 | 1u << 17 | 1u << 9};

    (void)state;
    prepare();
    hrli_ready_await_alone(&set, &nodes[0]);
    hrli_ready_await_alone(&set, &nodes[2]);
    assert_int_equal(hrli_ready_release_levels(&set, &part), 1u << 17); /* 3 does not wait */
    assert_int_equal(set.masked.waiting[LEVELS_WORD], 1u << 0);
    expect_ready(1u << 17);
    assert_ptr_equal(hrli_ready_first(&set), &nodes[2]);
    assert_int_equal(hrli_ready_release_levels(&set, &part), 0); /* that is not twice a release */
    expect_ready(1u << 17);
}

static void test_a_thread_that_waits_again_is_no_longer_ready(void **state)
{
    (void)state;
    prepare();
    hrli_ready_add(&set, &nodes[1]);
    hrli_ready_add(&set, &nodes[3]);
    expect_ready(1u << 3 | 1u << (HRL_PRIORITIES - 1));
    assert_ptr_equal(hrli_ready_first(&set), &nodes[3]);
    hrli_ready_await_alone(&set, &nodes[3]);
    expect_ready(1u << 3);
    assert_int_equal(set.masked.waiting[LEVELS_WORD], 1u << (HRL_PRIORITIES - 1));
    hrli_ready_remove(&set, &nodes[1]); /* which waits for something else then */
    expect_ready(0);
}

static void test_it_gives_way_to_none(void **state)
{
    (void)state;
    prepare();
    hrli_ready_add(&set, &nodes[2]);
    assert_null(hrli_ready_give_way(&set, &nodes[2]));
    expect_ready(1u << 17);
    assert_ptr_equal(hrli_ready_first(&set), &nodes[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none_is_ready_before_its_release),
        cmocka_unit_test(test_of_a_mask_the_waiting_threads_are_released),
        cmocka_unit_test(test_a_thread_that_waits_again_is_no_longer_ready),
        cmocka_unit_test(test_it_gives_way_to_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
