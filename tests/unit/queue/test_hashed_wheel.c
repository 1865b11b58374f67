/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hashed_wheel.h"
#include "queue_campaign.h"
#include "queue_model.h"
#include "stamp.h"
#include "store.h"
#include "with_cmocka.h"

HRLI_QUEUE_CALLS(hashed_wheel)

/*
 * What is the hashed wheel's own. That it keeps the contract of delay queues is shown by
 * tests/conform/queue.
 */
enum { MOST_SLOTS = 256 };

static struct hrli_hashed_wheel wheel;
static struct hrli_queue_node *storage[HRLI_HASHED_WHEEL_STORAGE(MOST_SLOTS)];

static void start(uint32_t width_bits, size_t slot_count)
{
    hrli_hashed_wheel_init(&wheel, width_bits, storage, slot_count);
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
    size_t seen = 0;

    (void)queue;
    for (uint32_t i = 0; i < wheel.slot_count; i++) {
        const struct hrli_queue_node *slot = storage[wheel.slot_count + i];

        if (slot != NULL) {
            seen += ring_length(slot);
            CAMPAIGN_CHECK(((slot->key >> wheel.width_bits) & (wheel.slot_count - 1)) == i);
        }
    }
    for (uint32_t i = 1; i < wheel.slot_count; i++) {
        const struct hrli_queue_node *a = storage[2 * i];
        const struct hrli_queue_node *b = storage[2 * i + 1];
        const struct hrli_queue_node *winner = a;

        if (a == NULL || (b != NULL && hrli_stamp_after(a->key, b->key))) {
            winner = b;
        }
        CAMPAIGN_CHECK(storage[i] == winner);
    }
    CAMPAIGN_CHECK(seen == count);
}

static const struct queue_campaign campaign = {
    &wheel, hashed_wheel_insert, hashed_wheel_first, hashed_wheel_pop, hashed_wheel_remove, check};

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
    static const uint32_t kinds[][2] = {{0, 1}, {0, 64}, {31, 2}, {31, 256}, {20, 8}};

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        start(kinds[i][0], kinds[i][1]);
        queue_campaign_random(&campaign, 10000);
    }
}

static void test_rounds_share_a_slot(void **state)
{
    struct hrli_queue_node next_round = {.key = 8 * 16 + 5};
    struct hrli_queue_node other_slot = {.key = 100};
    struct hrli_queue_node this_round = {.key = 5};

    (void)state;
    start(4, 8);
    assert_true(hrli_hashed_wheel_insert(&wheel, &next_round));
    assert_true(hrli_hashed_wheel_insert(&wheel, &other_slot)); /* later in the map of slots */
    assert_true(hrli_hashed_wheel_insert(&wheel, &this_round));
    assert_ptr_equal(storage[8], &this_round);
    assert_ptr_equal(this_round.next, &next_round);
    hrli_hashed_wheel_remove(&wheel, &this_round);
    assert_ptr_equal(hrli_hashed_wheel_first(&wheel), &other_slot);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_operations),
        cmocka_unit_test(test_adversarial_orders),
        cmocka_unit_test(test_random_operations_on_wheels_of_all_kinds),
        cmocka_unit_test(test_rounds_share_a_slot),
    };
    operations = queue_campaign_operations(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
