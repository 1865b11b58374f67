/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A core that another has rung, of the two of tests/support/two_cores.
 */
#include "hrlp_upcalls.h"
#include "with_cmocka.h"
#include "woken_threads.h"

static void test_the_doorbell_makes_all_ready_in_their_order(void **state)
{
    (void)state;
    threads[1].ready.priority = threads[0].ready.priority;
    two_cores_on(0);
    for (unsigned i = 0; i < 3; i++) {
        wake(&threads[i]);
    }
    two_cores_on(1);
    hrli_core_rung();
    assert_null(two_cores_of(1)->woken.first);
    for (unsigned i = 0; i < 3; i++) {
        assert_true(hrli_ready_is_in(&two_cores_of(1)->ready, &threads[i].ready));
        assert_false(hrli_is_woken(&threads[i]));
    }
    assert_ptr_equal(hrli_ready_first_of(&two_cores_of(1)->ready, 3), &threads[0].ready);
    hrli_core_rung(); /* once too often, as two rings may come apart */
}

static void
test_what_ends_a_handler_without_a_switch_goes_on_with_what_was_interrupted(void **state)
{
    int interrupted;
    struct hrlp_cpu_end end;

    (void)state;
    two_cores_on(0);
    wake(&threads[0]);
    two_cores_on(1);
    end = hrli_core_rung_in_handler(&interrupted);
    assert_null(end.to);
    assert_ptr_equal(end.from, &interrupted);
    assert_true(hrli_ready_is_in(&two_cores_of(1)->ready, &threads[0].ready));
}

static void test_a_suspended_thread_stays_where_it_is(void **state)
{
    (void)state;
    threads[0].suspended = true;
    two_cores_on(0);
    wake(&threads[0]);
    two_cores_on(1);
    hrli_core_rung();
    assert_false(hrli_is_woken(&threads[0]));
    assert_false(hrli_ready_is_in(&two_cores_of(1)->ready, &threads[0].ready));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_doorbell_makes_all_ready_in_their_order, prepare),
        cmocka_unit_test_setup(
            test_what_ends_a_handler_without_a_switch_goes_on_with_what_was_interrupted, prepare),
        cmocka_unit_test_setup(test_a_suspended_thread_stays_where_it_is, prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
