/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that a core has changed is listed on its own, on the two cores of tests/support/two_cores. test_changes.c: what follows. */
#include "change_elsewhere.h"
#include "with_cmocka.h"
#include "woken_threads.h"

static bool core_1_has_changes(void)
{
    bool has;

    two_cores_on(1);
    has = hrli_core_has_changes();
    two_cores_on(0);
    return has;
}

static void test_a_thread_of_another_core_is_listed_there_once(void **state)
{
    hrlp_irq_state before = hrli_sync_lock();

    (void)state;
    assert_true(hrli_changed_elsewhere(&threads[0]));
    assert_true(hrli_changed_elsewhere(&threads[0]));
    hrli_sync_unlock(before);
    assert_int_equal(two_cores_rings[1], 2);
    assert_true(core_1_has_changes());
    assert_null(threads[0].next_changed);
    assert_false(hrli_core_has_changes());
}

static void test_a_thread_of_this_core_is_not(void **state)
{
    (void)state;
    threads[0].core = 0;
    assert_false(hrli_changed_elsewhere(&threads[0]));
    assert_false(core_1_has_changes());
    assert_false(hrli_core_has_changes());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_thread_of_another_core_is_listed_there_once, prepare),
        cmocka_unit_test_setup(test_a_thread_of_this_core_is_not, prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
