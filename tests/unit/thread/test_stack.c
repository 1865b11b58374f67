/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "system_under_test.h"
#include "with_cmocka.h"

/*
 * Threads of the host run on stacks of its own. Here the kernel is told that they run on theirs, as
 * on boards.
 */
#undef HRLP_CPU_GIVEN_STACKS
#define HRLP_CPU_GIVEN_STACKS true
#include "stack.h"

/* Nor has the host a guard: the kernel's own text, with one of so many bytes. */
static uint32_t guard_bytes;

#define hrlp_guard_lowest(stack) ((void *)((uintptr_t)(stack) + guard_bytes))
#include "../../../kernel/thread/stack.c"

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

/*
 * What the dispatch asks; threads that leave their stacks: tests/system/test_faults.py, on boards.
 */
static const char *stack_pointer;

static void check(void)
{
    hrli_stack_check(&thread, stack_pointer);
}

static void test_a_thread_within_its_stack_goes_on(void **state)
{
    (void)state;
    hrli_stack_paint(&thread);
    ((uint32_t *)stack)[1] = 1;
    for (stack_pointer = (char *)stack; stack_pointer < (char *)stack + sizeof stack;
         stack_pointer += 4) {
        check();
    }
}

static void test_a_thread_outside_its_stack_is_stopped(void **state)
{
    (void)state;
    sut_reset();
    hrli_stack_paint(&thread);
    stack_pointer = (char *)stack - 4;
    sut_call_to_assertion(check, "stack overflow");
    stack_pointer = (char *)stack + sizeof stack;
    sut_call_to_assertion(check, "stack overflow");
}

static void test_a_thread_that_came_back_but_for_the_lowest_word_is_stopped(void **state)
{
    (void)state;
    sut_reset();
    hrli_stack_paint(&thread);
    ((uint32_t *)stack)[0] = 1;
    stack_pointer = (char *)&stack[4];
    sut_call_to_assertion(check, "stack overflow");
}

static void test_no_stack_at_all(void **state)
{
    struct hrl_thread none = {.stack = NULL};

    (void)state;
    hrli_stack_paint(&none);
    assert_int_equal(hrl_thread_stack_unused(&none), 0);
}

static void test_a_guard_is_not_painted(void **state)
{
    (void)state;
    hrli_stack_paint(&thread);
    guard_bytes = 32;
    stack[0] = 1;
    stack[4] = 1;
    hrli_stack_paint(&thread);
    assert_int_equal(hrl_thread_stack_unused(&thread), sizeof stack - 32);
    assert_int_equal(stack[0], 1);
    guard_bytes = sizeof stack + 8; /* larger than the stack */
    stack[7] = 1;
    hrli_stack_paint(&thread);
    assert_int_equal(hrl_thread_stack_unused(&thread), 0);
    assert_int_equal(stack[7], 1);
    guard_bytes = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_painted_stack_is_unused),
        cmocka_unit_test(test_the_deepest_word_counts),
        cmocka_unit_test(test_a_thread_within_its_stack_goes_on),
        cmocka_unit_test(test_a_thread_outside_its_stack_is_stopped),
        cmocka_unit_test(test_a_thread_that_came_back_but_for_the_lowest_word_is_stopped),
        cmocka_unit_test(test_no_stack_at_all),
        cmocka_unit_test(test_a_guard_is_not_painted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
