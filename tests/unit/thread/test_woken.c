/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that another core wakes, on the two cores of tests/support/two_cores: what is in their lists, and what
 * rings.
 */
#include "two_cores.h"
#include "wait.h"
#include "with_cmocka.h"

static struct hrl_thread threads[3];

static int prepare(void **state)
{
    (void)state;
    two_cores_reset();
    for (unsigned i = 0; i < 3; i++) {
        threads[i] = (struct hrl_thread){.ready.priority = (hrli_kept_level)(3 + i), .core = 1};
        hrli_ready_is_out(&threads[i].ready);
    }
    return 0;
}

static void wake(struct hrl_thread *thread)
{
    hrlp_irq_state state = hrli_sync_lock();

    hrli_wake(thread, HRL_OK);
    hrli_sync_unlock(state);
}

static void test_a_thread_of_another_core_is_listed_there_and_rung_for(void **state)
{
    (void)state;
    two_cores_on(0);
    wake(&threads[0]);
    wake(&threads[2]);
    assert_true(hrli_is_woken(&threads[0]));
    assert_ptr_equal(two_cores_of(1)->woken.first, &threads[0]);
    assert_ptr_equal(threads[0].next, &threads[2]);
    assert_int_equal(two_cores_rings[1], 2);
    assert_int_equal(two_cores_rings[0], 0);
    assert_int_equal(threads[0].wait_status, HRL_OK);
}

static void test_a_thread_of_the_own_core_is_made_ready_at_once(void **state)
{
    (void)state;
    two_cores_on(1);
    wake(&threads[0]);
    assert_null(two_cores_of(1)->woken.first);
    assert_true(hrli_ready_is_in(&two_cores_of(1)->ready, &threads[0].ready));
    assert_int_equal(two_cores_rings[1], 0);
}

static void test_a_thread_that_is_listed_is_not_listed_again(void **state)
{
    (void)state;
    two_cores_on(0);
    wake(&threads[0]);
    wake(&threads[1]);
    wake(&threads[0]);
    assert_ptr_equal(threads[1].next, NULL);
    assert_int_equal(two_cores_rings[1], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_thread_of_another_core_is_listed_there_and_rung_for, prepare),
        cmocka_unit_test_setup(test_a_thread_of_the_own_core_is_made_ready_at_once, prepare),
        cmocka_unit_test_setup(test_a_thread_that_is_listed_is_not_listed_again, prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
