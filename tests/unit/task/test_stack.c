/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"
#include "with_cmocka.h"

static uint64_t stack[8];
static struct hrl_thread thread = {.stack = stack, .stack_bytes = sizeof stack};

static void test_a_painted_stack_is_unused(void **state)
{
    (void)state;
    hrli_stack_paint(&thread);
    assert_int_equal(hrl_thread_stack_unused(&thread), sizeof stack);
}

static void test_the_deepest_word_counts(void **state)
{
    (void)state;
    hrli_stack_paint(&thread);
    ((uint32_t *)stack)[15] = 1;
    assert_int_equal(hrl_thread_stack_unused(&thread), 60);
    ((uint32_t *)stack)[3] = 1;
    assert_int_equal(hrl_thread_stack_unused(&thread), 12);
    ((uint32_t *)stack)[0] = 1;
    assert_int_equal(hrl_thread_stack_unused(&thread), 0);
}

/* On the host the kernel does not look at stacks that nobody runs on; on boards: tests/system/test_faults.py. */
static void test_stacks_that_nobody_runs_on_are_not_checked(void **state)
{
    (void)state;
    ((uint32_t *)stack)[0] = 1;
    hrli_stack_check(&thread, &state);
}

static void test_no_stack_at_all(void **state)
{
    struct hrl_thread none = {.stack = NULL};

    (void)state;
    hrli_stack_paint(&none);
    assert_int_equal(hrl_thread_stack_unused(&none), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_painted_stack_is_unused),
        cmocka_unit_test(test_the_deepest_word_counts),
        cmocka_unit_test(test_stacks_that_nobody_runs_on_are_not_checked),
        cmocka_unit_test(test_no_stack_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
