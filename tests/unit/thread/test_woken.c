/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that another core wakes, on the two cores of tests/support/two_cores: what is in their lists, and what
 * rings.
 */
#include "with_cmocka.h"
#include "woken_threads.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_thread_of_another_core_is_listed_there_and_rung_for, prepare),
        cmocka_unit_test_setup(test_a_thread_of_the_own_core_is_made_ready_at_once, prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
