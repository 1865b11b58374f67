/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hierarchical_wheel.h"
#include "queue_campaign.h"
#include "queue_model.h"
#include "stamp.h"
#include "store.h"
#include "with_cmocka.h"

HRLI_QUEUE_CALLS(hierarchical_wheel)

/*
 * What is the hierarchical wheel's own. That it keeps the contract of delay queues is shown by
 * tests/conform/queue.
 */
static struct hrli_hierarchical_wheel wheel;
static struct hrli_queue_node *slots[HRLI_HIERARCHICAL_WHEEL_SLOTS(0)];

static void start(uint32_t width_bits)
{
    hrli_hierarchical_wheel_init(&wheel, width_bits, slots,
                                 HRLI_HIERARCHICAL_WHEEL_SLOTS(width_bits));
}

/* How many nodes `slot` has; they are in order and the ring is whole. */
static size_t ring_length(const struct hrli_queue_node *slot)
{
    const struct hrli_queue_node *node = slot;
    size_t length = 0;

    if (slot == NULL) {
        return 0;
    }
    do {
        CAMPAIGN_CHECK(node->next->previous == node);
        CAMPAIGN_CHECK(node->next == slot || !hrli_stamp_after(node->key, node->next->key));
        length++;
        node = node->next;
    } while (node != slot);
    return length;
}

/* The part of `key` above the digit of `level`. */
static uint64_t above(hrl_stamp key, uint32_t level)
{
    return (uint64_t)key >> (wheel.width_bits + 5 * (level + 1));
}

static void check(void *queue, size_t count)
{
    size_t seen = 0;

    (void)queue;
    for (uint32_t i = 0; i < 32 * (wheel.top + 1); i++) {
        const struct hrli_queue_node *slot = slots[i];
        uint32_t level = i / 32;
        bool is_occupied = (wheel.occupied[level] & (0x80000000u >> (i % 32))) != 0;

        CAMPAIGN_CHECK((slot != NULL) == is_occupied);
        if (slot != NULL) {
            seen += ring_length(slot);
            CAMPAIGN_CHECK(slot->spare[0] == i && slot->previous->spare[0] == i);
            CAMPAIGN_CHECK(((uint64_t)slot->key >> (wheel.width_bits + 5 * level)) % 32 == i % 32);
            CAMPAIGN_CHECK(above(slot->key, level) == above(wheel.base, level));
            CAMPAIGN_CHECK(above(slot->previous->key, level) == above(wheel.base, level));
        }
    }
    for (uint32_t level = 0; level <= wheel.top; level++) {
        CAMPAIGN_CHECK((wheel.occupied[level] != 0) == ((wheel.levels >> level & 1) != 0));
    }
    CAMPAIGN_CHECK(seen == count);
}

static const struct queue_campaign campaign = {&wheel,
                                               hierarchical_wheel_insert,
                                               hierarchical_wheel_first,
                                               hierarchical_wheel_pop,
                                               hierarchical_wheel_remove,
                                               check};

static uint64_t operations;

static void test_random_operations(void **state)
{
    (void)state;
    start(12);
    queue_campaign_random(&campaign, operations);
}

static void test_adversarial_orders(void **state)
{
    (void)state;
    start(12);
    queue_campaign_orders(&campaign, 300, 1024);
}

static void test_random_operations_on_wheels_of_all_kinds(void **state)
{
    (void)state;
    for (uint32_t width_bits = 0; width_bits < 32; width_bits++) {
        start(width_bits);
        queue_campaign_random(&campaign, 3000);
    }
}

static void put(struct hrli_queue_node *node, hrl_stamp key)
{
    node->key = key;
    (void)hrli_hierarchical_wheel_insert(&wheel, node);
    assert_non_null(wheel.first);
}

static void test_far_keys_stand_in_high_levels_and_stay_there(void **state)
{
    struct hrli_queue_node now, near, older, younger;

    (void)state;
    start(0);
    put(&now, 0);
    put(&near, 40);
    put(&older, 2000);
    assert_int_equal(now.spare[0], 0);
    assert_int_equal(near.spare[0], 32 + 1);
    assert_int_equal(older.spare[0], 64 + 1);
    hrli_hierarchical_wheel_pop(&wheel, &now);
    hrli_hierarchical_wheel_pop(&wheel, &near);
    put(&younger, 2000); /* the base is 2000 now */
    assert_int_equal(older.spare[0], 64 + 1);
    assert_int_equal(younger.spare[0], 2000 % 32);
    assert_ptr_equal(hrli_hierarchical_wheel_first(&wheel), &older);
    hrli_hierarchical_wheel_pop(&wheel, &older);
    assert_ptr_equal(hrli_hierarchical_wheel_first(&wheel), &younger);
}

static void test_a_key_too_far_before_the_base_becomes_the_base(void **state)
{
    struct hrli_queue_node old_base, older, younger, middle, early;

    (void)state;
    start(0);
    put(&old_base, 0x80000000u);
    put(&middle, 0x20000000u);
    put(&older, 0x7FFFFFF0u);
    hrli_hierarchical_wheel_remove(&wheel, &old_base);
    assert_int_equal(wheel.base, 0x80000000u);
    put(&early, 0xFFFFFFFFu); /* 2^31 + 1 before the base */
    assert_int_equal(wheel.base, 0xFFFFFFFFu);
    put(&younger, 0x7FFFFFF0u);
    check(&wheel, 4);
    hrli_hierarchical_wheel_pop(&wheel, &early);
    hrli_hierarchical_wheel_pop(&wheel, &middle);
    assert_ptr_equal(hrli_hierarchical_wheel_first(&wheel), &older);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_operations),
        cmocka_unit_test(test_adversarial_orders),
        cmocka_unit_test(test_random_operations_on_wheels_of_all_kinds),
        cmocka_unit_test(test_far_keys_stand_in_high_levels_and_stay_there),
        cmocka_unit_test(test_a_key_too_far_before_the_base_becomes_the_base),
    };
    operations = queue_campaign_operations(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
