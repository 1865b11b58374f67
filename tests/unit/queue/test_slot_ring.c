/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "slot_ring.h"
#include "with_cmocka.h"

static void test_order_both_ways_round(void **state)
{
    struct hrli_queue_node nodes[6] = {{.key = 30}, {.key = 10}, {.key = 20},
                                       {.key = 20}, {.key = 30}, {.key = 10}};
    static const int order[6] = {1, 5, 2, 3, 0, 4};
    struct hrli_queue_node *slot = NULL;

    (void)state;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(hrli_slot_ring_insert(&slot, &nodes[i]), i < 2);
    }
    for (int i = 0; i < 6; i++) {
        assert_ptr_equal(slot, &nodes[order[i]]);
        assert_ptr_equal(slot->next->previous, slot);
        slot = slot->next;
    }
    assert_ptr_equal(slot, &nodes[1]);
}

static void test_removal_says_which_node_is_first(void **state)
{
    struct hrli_queue_node nodes[3] = {{.key = 1}, {.key = 2}, {.key = 3}};
    struct hrli_queue_node *slot = NULL;

    (void)state;
    for (int i = 0; i < 3; i++) {
        (void)hrli_slot_ring_insert(&slot, &nodes[i]);
    }
    assert_ptr_equal(hrli_slot_ring_remove(&slot, &nodes[1]), &nodes[0]);
    assert_ptr_equal(slot, &nodes[0]);
    assert_ptr_equal(hrli_slot_ring_remove(&slot, &nodes[0]), &nodes[2]);
    assert_ptr_equal(slot, &nodes[2]);
    assert_ptr_equal(slot->next, slot);
    assert_ptr_equal(slot->previous, slot);
    assert_null(hrli_slot_ring_remove(&slot, &nodes[2]));
    assert_null(slot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_both_ways_round),
        cmocka_unit_test(test_removal_says_which_node_is_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
