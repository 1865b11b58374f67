/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* On the two cores of tests/support/two_cores, which stop a lock that is taken twice or with interrupts on. */
#include "sync_lock.h"
#include "two_cores.h"
#include "with_cmocka.h"

static void test_it_masks_interrupts_and_takes_the_lock(void **state)
{
    hrlp_irq_state before;

    (void)state;
    two_cores_reset();
    assert_false(hrlp_irq_is_masked());
    before = hrli_sync_lock();
    assert_true(two_cores_locked);
    assert_true(hrlp_irq_is_masked());
    hrli_sync_unlock(before);
    assert_false(two_cores_locked);
    assert_false(hrlp_irq_is_masked());
    assert_int_equal(two_cores_locks, 1);
}

static void test_what_was_masked_before_stays_so(void **state)
{
    hrlp_irq_state outer = hrlp_irq_lock();

    (void)state;
    hrli_sync_unlock(hrli_sync_lock());
    assert_true(hrlp_irq_is_masked());
    hrlp_irq_unlock(outer);
}

static void test_a_release_lets_other_cores_go_on_and_no_interrupt_in(void **state)
{
    hrlp_irq_state before = hrli_sync_lock();

    (void)state;
    hrli_sync_release();
    assert_false(two_cores_locked);
    assert_true(hrlp_irq_is_masked());
    hrlp_irq_unlock(before);
}

static void test_threads_keep_the_lock_as_other_cores_go_on(void **state)
{
    hrlp_irq_state before = hrli_sync_lock();

    (void)state;
    hrli_threads_keep(before);
    assert_true(two_cores_locked);
    assert_int_equal(hrli_threads_mask(before), before);
    hrli_threads_unlock(before);
    assert_false(two_cores_locked);
    before = hrli_threads_lock();
    assert_true(two_cores_locked);
    hrli_threads_unlock(before);
    assert_false(two_cores_locked);
    assert_false(hrlp_irq_is_masked());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_masks_interrupts_and_takes_the_lock),
        cmocka_unit_test(test_what_was_masked_before_stays_so),
        cmocka_unit_test(test_a_release_lets_other_cores_go_on_and_no_interrupt_in),
        cmocka_unit_test(test_threads_keep_the_lock_as_other_cores_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
