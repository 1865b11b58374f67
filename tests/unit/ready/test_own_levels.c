/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ready_queue.h"
#include "with_cmocka.h"

/* The ready queue with HRL_OWN_PRIORITIES: threads stand in their rings for ever. */
enum { THREADS = 4 };
static struct hrli_ready_queue queue;
static struct hrli_ready_node nodes[THREADS]; /* levels 0, 3, 6, 9; level 0 is always ready */

static int set_up(void **state)
{
    (void)state;
    hrli_ready_init(&queue);
    for (unsigned i = 0; i < THREADS; i++) {
        nodes[i].priority = (uint16_t)(3 * i);
        hrli_ready_stand_alone(&queue, &nodes[i]);
    }
    hrli_ready_add(&queue, &nodes[0]);
    return 0;
}

static void test_only_the_level_says_that_a_thread_is_ready(void **state)
{
    (void)state;
    for (unsigned i = 1; i < THREADS; i++) {
        assert_false(hrli_ready_contains(&queue, &nodes[i]));
        assert_false(hrli_ready_is_in(&queue, &nodes[i]));
        hrli_ready_add(&queue, &nodes[i]);
        assert_true(hrli_ready_contains(&queue, &nodes[i]));
        assert_true(hrli_ready_is_in(&queue, &nodes[i]));
        assert_ptr_equal(hrli_ready_first(&queue), &nodes[i]);
    }
    for (unsigned i = THREADS - 1; i > 0; i--) {
        assert_ptr_equal(hrli_ready_first(&queue), &nodes[i]);
        hrli_ready_remove(&queue, &nodes[i]);
        assert_false(hrli_ready_contains(&queue, &nodes[i]));
    }
    assert_ptr_equal(hrli_ready_first(&queue), &nodes[0]);
}

static void test_rings_do_not_change(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < THREADS; i++) {
            assert_ptr_equal(queue.levels[3 * i].next, &nodes[i].link);
            assert_ptr_equal(queue.levels[3 * i].previous, &nodes[i].link);
        }
        hrli_ready_add(&queue, &nodes[2]);
    }
}

static void test_a_thread_alone_does_not_give_way(void **state)
{
    (void)state;
    hrli_ready_add(&queue, &nodes[1]);
    assert_null(hrli_ready_give_way(&queue, &nodes[1]));
    assert_ptr_equal(hrli_ready_first(&queue), &nodes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_only_the_level_says_that_a_thread_is_ready, set_up),
        cmocka_unit_test_setup(test_rings_do_not_change, set_up),
        cmocka_unit_test_setup(test_a_thread_alone_does_not_give_way, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
