/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/interrupt.h>
#include <hrl/time.h>

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

static const char *above;

static void look(void *unused)
{
    (void)unused;
    above = hrli_check_is_below() ? "below" : "above";
}

static void raise_at(void *priority)
{
    hrl_interrupt_attach(10, look, NULL);
    (void)hrl_interrupt_enable(10, (uint32_t)(uintptr_t)priority);
    (void)hrl_interrupt_raise(10);
    sut_note(above);
    hrl_interrupt_detach(10);
    look(NULL);
    sut_note(above);
}

static void test_what_is_above_the_kernel(void **state)
{
    (void)state;
    for (uint32_t priority = HRL_INTERRUPT_LOWEST; priority <= HRL_INTERRUPT_HIGHEST; priority++) {
        sut_reset();
        sut_start("raiser", 1, raise_at, (void *)(uintptr_t)priority);
        assert_string_equal(sut_run(1000), "done");
        assert_string_equal(sut_notes,
                            priority > HRL_INTERRUPT_KERNEL ? "above below " : "below below ");
    }
}

static void ask_for_the_time(void *unused)
{
    (void)unused;
    (void)hrl_now();
}

static void interrupt_above(void *unused)
{
    (void)unused;
    hrl_interrupt_attach(10, ask_for_the_time, NULL);
    (void)hrl_interrupt_enable(10, HRL_INTERRUPT_KERNEL + 1);
    (void)hrl_interrupt_raise(10);
}

static void test_a_call_from_above_is_named(void **state)
{
    (void)state;
    sut_reset();
    sut_start("raiser", 1, interrupt_above, NULL);
    sut_run_to_assertion(1000, "hrl_now: not for interrupts above the kernel's priority");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_broken_promise_stops),
        cmocka_unit_test(test_a_kept_one_does_not),
        cmocka_unit_test(test_what_is_above_the_kernel),
        cmocka_unit_test(test_a_call_from_above_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
