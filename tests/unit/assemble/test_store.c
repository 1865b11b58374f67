/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "calendar.h"
#include "hashed_wheel.h"
#include "leftist_heap.h"
#include "release_by_hand.h"
#include "sorted_list.h"
#include "store.h"
#include "unsorted_list.h"
#include "with_cmocka.h"

/*
 * What the macros define works, and is made of the part that they name. That modes serve any store
 * is shown by tests/conform/release and by the systems of tests/system.
 */
HRLI_QUEUE_STORE(sorted_list)
HRLI_QUEUE_STORE(calendar)
HRLI_QUEUE_STORE(leftist_heap)
HRLI_QUEUE_STORE(hashed_wheel)
HRLI_STATIC_STORE(unsorted_list)

HRLI_QUEUE(store_0, sorted_list, 3u, 32u, 8u)
HRLI_QUEUE(store_1, calendar, 3u, 32u, 8u)
HRLI_UNSORTED_LIST(store_2)
HRLI_QUEUE(store_3, leftist_heap, 3u, 32u, 8u)
HRLI_QUEUE(store_4, hashed_wheel, 3u, 32u, 8u)

static void check(const struct hrli_store *store, void *kept)
{
    struct hrli_queue_node nodes[3] = {{.key = 30}, {.key = 10}, {.key = 20}};

    assert_null(store->first(kept));
    assert_null(store->due(kept));
    assert_true(store->insert(kept, &nodes[0]));
    assert_true(store->insert(kept, &nodes[1]));
    assert_false(store->insert(kept, &nodes[2]));
    assert_ptr_equal(store->first(kept), &nodes[1]);
    assert_int_equal(*store->due(kept), 10);
    store->pop(kept, &nodes[1]);
    assert_int_equal(*store->due(kept), 20);
    store->remove(kept, &nodes[0]);
    store->pop(kept, &nodes[2]);
    assert_null(store->first(kept));
}

static void test_a_delay_queue_is_called_through_its_store(void **state)
{
    (void)state;
    store_0_init();
    check(&sorted_list_store, &store_0);
    store_1_init();
    check(&calendar_store, &store_1);
    store_3_init();
    check(&leftist_heap_store, &store_3);
    store_4_init();
    check(&hashed_wheel_store, &store_4);
    assert_int_equal(sizeof store_4_slots / sizeof store_4_slots[0],
                     HRLI_HASHED_WHEEL_STORAGE(32u));
}

static void test_a_queue_releases_waiters_that_are_due(void **state)
{
    (void)state;
    by_hand_reset();
    store_0_init();
    for (unsigned i = 0; i < 3; i++) {
        by_hand_threads[i].waiter.node.key = 10 * (1 + i);
        (void)sorted_list_store.insert(&store_0, &by_hand_threads[i].waiter.node);
    }
    sorted_list_store.release_due(&by_hand, &store_0, 20);
    assert_int_equal(by_hand_take_ready(), 3);
    assert_ptr_equal(sorted_list_store.first(&store_0), &by_hand_threads[2].waiter.node);
}

static void test_a_static_store_is_what_its_header_says(void **state)
{
    (void)state;
    store_2_init();
    assert_ptr_equal(store_2.head.next, &store_2.head);
    assert_ptr_equal(unsorted_list_periodic_store.release_due, hrli_unsorted_list_release_due);
    assert_null(unsorted_list_store.due);
    assert_ptr_equal(HRLI_PUT_unsorted_list, hrli_unsorted_list_put);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_delay_queue_is_called_through_its_store),
        cmocka_unit_test(test_a_queue_releases_waiters_that_are_due),
        cmocka_unit_test(test_a_static_store_is_what_its_header_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
