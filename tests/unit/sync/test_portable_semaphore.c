/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#define HRL_CLOCK_HZ 1000000u
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/portable.h>
#include <hrl/thread.h>
#include <string.h>

HRL_PORTABLE_SEMAPHORE_DEFINE(semaphore, 2, 3);

static void set_up(void)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    memset(semaphore.state, 0xa5, sizeof semaphore.state);
    hrl_portable_semaphore_make(&semaphore);
}

static void take_and_give(void *argument)
{
    (void)argument;
    assert_true(hrl_portable_semaphore_take(&semaphore, HRL_PORTABLE_NO_WAIT));
    assert_true(hrl_portable_semaphore_take(&semaphore, HRL_PORTABLE_FOREVER));
    assert_false(hrl_portable_semaphore_take(&semaphore, HRL_PORTABLE_NO_WAIT));
    assert_int_equal(hrl_now(), 0);
    assert_false(hrl_portable_semaphore_take(&semaphore, HRL_PORTABLE_US(10)));
    assert_int_equal(hrl_now(), 10);
    for (int i = 0; i < 3; i++) {
        assert_true(hrl_portable_semaphore_give(&semaphore));
    }
    assert_false(hrl_portable_semaphore_give(&semaphore));
    sut_note("end");
}

static void test_tokens_are_counted(void **state)
{
    (void)state;
    set_up();
    sut_start("alone", 1, take_and_give, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "end ");
}

static void take_for_ever(void *argument)
{
    assert_true(hrl_portable_semaphore_take(&semaphore, HRL_PORTABLE_FOREVER));
    sut_note(argument);
}

static void give_two(void *argument)
{
    (void)argument;
    for (int i = 0; i < 2; i++) {
        sut_note("give");
        assert_true(hrl_portable_semaphore_give(&semaphore));
    }
}

static void test_a_wait_for_ever_ends_with_a_token(void **state)
{
    (void)state;
    set_up();
    sut_start("a", 3, take_for_ever, "a");
    sut_start("b", 3, take_for_ever, "b");
    sut_start("c", 3, take_for_ever, "c");
    sut_start("d", 4, take_for_ever, "d");
    sut_start("giver", 1, give_two, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "d a give b give c ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens_are_counted),
        cmocka_unit_test(test_a_wait_for_ever_ends_with_a_token),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
