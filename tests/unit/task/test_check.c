/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "system_under_test.h"
#include "with_cmocka.h"

static void break_a_promise(void *argument)
{
    HRLI_CHECK(argument != NULL, "no argument");
    sut_note("went on");
}

static void test_a_broken_promise_stops(void **state)
{
    (void)state;
    sut_reset();
    sut_start("breaker", 1, break_a_promise, NULL);
    sut_run_to_assertion(1000, "no argument");
    assert_string_equal(sut_notes, "");
}

static void test_a_kept_one_does_not(void **state)
{
    (void)state;
    sut_reset();
    sut_start("keeper", 1, break_a_promise, sut_notes);
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "went on ");
}

static void test_whether_interrupts_are_masked(void **state)
{
    hrlp_irq_state before;

    (void)state;
    sut_reset();
    (void)hrlp_host_mask(false);
    assert_true(hrli_is_unlocked());
    before = hrlp_irq_lock();
    assert_false(hrli_is_unlocked());
    assert_false(hrli_is_unlocked());
    hrlp_irq_unlock(before);
    assert_true(hrli_is_unlocked());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_broken_promise_stops),
        cmocka_unit_test(test_a_kept_one_does_not),
        cmocka_unit_test(test_whether_interrupts_are_masked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
