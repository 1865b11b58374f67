/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "queue_campaign.h"
#include "queue_model.h"
#include "stamp.h"
#include "store.h"
#include "timing_wheel.h"
#include "with_cmocka.h"

HRLI_QUEUE_CALLS(timing_wheel)

/*
 * What is the timing wheel's own. That it keeps the contract of delay queues is shown by
 * tests/conform/queue.
 */
static struct hrli_timing_wheel wheel;
static struct hrli_queue_node *slots[HRLI_SLOT_MAP_SLOTS];

static void start(uint32_t width_bits, size_t slot_count)
{
    hrli_timing_wheel_init(&wheel, width_bits, slots, slot_count);
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

static void check(void *queue, size_t count)
{
    const struct hrli_queue_node *head = &wheel.late.head;
    size_t seen = 0;

    (void)queue;
    for (uint32_t i = 0; i < wheel.slot_count; i++) {
        const struct hrli_queue_node *slot = slots[i];
        bool is_occupied = (wheel.occupied.slots[i / 32] & hrli_slot_map_bit(i)) != 0;

        CAMPAIGN_CHECK((slot != NULL) == is_occupied);
        if (slot != NULL) {
            const struct hrli_queue_node *last = slot->previous;

            seen += ring_length(slot);
            CAMPAIGN_CHECK(slot->key >> wheel.width_bits == last->key >> wheel.width_bits);
            CAMPAIGN_CHECK(((slot->key >> wheel.width_bits) & (wheel.slot_count - 1)) == i);
            CAMPAIGN_CHECK((slot->key - wheel.start) >> wheel.width_bits < wheel.slot_count);
        }
    }
    for (const struct hrli_queue_node *node = head->next; node != head; node = node->next) {
        CAMPAIGN_CHECK(node->next->previous == node);
        CAMPAIGN_CHECK(node->next == head || !hrli_stamp_after(node->key, node->next->key));
        seen++;
    }
    CAMPAIGN_CHECK(seen == count);
}

static const struct queue_campaign campaign = {
    &wheel, timing_wheel_insert, timing_wheel_first, timing_wheel_pop, timing_wheel_remove, check};

static uint64_t operations;

static void test_random_operations(void **state)
{
    (void)state;
    start(10, 32);
    queue_campaign_random(&campaign, operations);
}

static void test_adversarial_orders(void **state)
{
    (void)state;
    start(10, 256);
    queue_campaign_orders(&campaign, 300, 1024);
}

static void test_random_operations_on_wheels_of_all_kinds(void **state)
{
    static const uint32_t kinds[][2] = {{0, 1}, {0, 64}, {30, 2}, {31, 1}, {21, 1024}, {4, 128}};

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        start(kinds[i][0], kinds[i][1]);
        queue_campaign_random(&campaign, 10000);
    }
}

static size_t late(void)
{
    size_t count = 0;

    for (struct hrli_queue_node *node = wheel.late.head.next; node != &wheel.late.head;
         node = node->next) {
        count++;
    }
    return count;
}

static void put(struct hrli_queue_node *node, hrl_stamp key)
{
    node->key = key;
    (void)hrli_timing_wheel_insert(&wheel, node);
    assert_true(wheel.first != NULL);
}

static void test_a_wheel_shows_slots_times_width(void **state)
{
    struct hrli_queue_node now, last, beyond;

    (void)state;
    start(4, 8);
    put(&now, 33); /* the window: 32 .. 159 */
    put(&last, 159);
    assert_int_equal(late(), 0);
    put(&beyond, 160);
    assert_int_equal(late(), 1);
    assert_ptr_equal(slots[159 / 16 % 8], &last);
}

static void test_pop_moves_the_window_on(void **state)
{
    struct hrli_queue_node now, next, far;

    (void)state;
    start(4, 8);
    put(&now, 0);
    put(&next, 100);
    hrli_timing_wheel_pop(&wheel, &now);
    put(&far, 130); /* outside still: the window starts with what is taken, not with what is next */
    assert_int_equal(late(), 1);
    hrli_timing_wheel_remove(&wheel, &far);
    put(&now, 110);
    hrli_timing_wheel_pop(&wheel, &next);
    put(&far, 130); /* 96 .. 223 */
    assert_int_equal(late(), 0);
}

static void test_an_empty_wheel_starts_with_the_first_of_all(void **state)
{
    struct hrli_queue_node now, soon, far;

    (void)state;
    start(4, 8);
    put(&now, 0);
    put(&soon, 1000); /* late */
    hrli_timing_wheel_pop(&wheel, &now);
    put(&far, 2000); /* the window: 992 .. */
    assert_int_equal(late(), 2);
    put(&now, 1010);
    assert_int_equal(late(), 2);
    check(&wheel, 3);
}

static void test_what_is_late_is_older_than_its_equals_in_the_wheel(void **state)
{
    struct hrli_queue_node now, near, older, younger;

    (void)state;
    start(4, 8);
    put(&now, 0);
    put(&near, 100);
    put(&older, 200);
    hrli_timing_wheel_pop(&wheel, &now);
    hrli_timing_wheel_pop(&wheel, &near); /* the window: 96 .. 223, once the wheel is not empty */
    put(&younger, 200);
    assert_int_equal(late(), 1);
    assert_ptr_equal(hrli_timing_wheel_first(&wheel), &older);
    hrli_timing_wheel_pop(&wheel, &older);
    assert_ptr_equal(hrli_timing_wheel_first(&wheel), &younger);
}

static void test_a_past_key_moves_the_window_back(void **state)
{
    struct hrli_queue_node nodes[6];

    (void)state;
    start(4, 8);
    put(&nodes[0], 1000);
    put(&nodes[1], 1100);
    put(&nodes[2], 1100);
    put(&nodes[3], 1200); /* late */
    put(&nodes[4], 990);  /* 1100 stays: 976 + 128 = 1104 */
    assert_int_equal(late(), 1);
    put(&nodes[5], 970); /* 960 .. 1087: the two at 1100 are late now, before 1200 */
    assert_int_equal(late(), 3);
    check(&wheel, 6);
    assert_ptr_equal(wheel.late.head.next, &nodes[1]);
    assert_ptr_equal(wheel.late.head.next->next, &nodes[2]);
    assert_ptr_equal(wheel.late.head.next->next->next, &nodes[3]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_operations),
        cmocka_unit_test(test_adversarial_orders),
        cmocka_unit_test(test_random_operations_on_wheels_of_all_kinds),
        cmocka_unit_test(test_a_wheel_shows_slots_times_width),
        cmocka_unit_test(test_pop_moves_the_window_on),
        cmocka_unit_test(test_an_empty_wheel_starts_with_the_first_of_all),
        cmocka_unit_test(test_what_is_late_is_older_than_its_equals_in_the_wheel),
        cmocka_unit_test(test_a_past_key_moves_the_window_back),
    };
    operations = queue_campaign_operations(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
