/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#define HRL_CLOCK_HZ 1000000u
#define HRL_TICKS 3u /* in two seconds */
#define HRL_TICKS_SECONDS 2u
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/portable.h>
#include <hrl/thread.h>

static void test_spans_are_rounded_up(void **state)
{
    (void)state;
    assert_int_equal(HRL_PORTABLE_US(7).counts, 7);
    assert_int_equal(HRL_PORTABLE_MS(7).counts, 7000);
    assert_int_equal(HRL_PORTABLE_S(4000).counts, 4000000000u);
    assert_int_equal(HRL_PORTABLE_US(0).ticks, 0);
    assert_int_equal(HRL_PORTABLE_US(1).ticks, 1);
    assert_int_equal(HRL_PORTABLE_US(666666).ticks, 1);
    assert_int_equal(HRL_PORTABLE_US(666667).ticks, 2);
    assert_int_equal(HRL_PORTABLE_MS(2000).ticks, 3);
    assert_int_equal(HRL_PORTABLE_MS(2001).ticks, 4);
    assert_int_equal(HRL_PORTABLE_S(4000).ticks, 6000);
}

static void sleep_twice(void *argument)
{
    (void)argument;
    hrl_portable_sleep(HRL_PORTABLE_US(30));
    assert_int_equal(hrl_now(), 30);
    sut_note("slept");
    hrl_portable_sleep(HRL_PORTABLE_NO_WAIT);
    assert_int_equal(hrl_now(), 30);
    sut_note("end");
}

static void run_beside(void *argument)
{
    (void)argument;
    sut_note("beside");
}

static void test_a_sleep_lets_others_run(void **state)
{
    (void)state;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    sut_start("sleeper", 2, sleep_twice, NULL);
    sut_start("other", 1, run_beside, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "beside slept end ");
}

static void sleep_for_ever(void *argument)
{
    (void)argument;
    hrl_portable_sleep(HRL_PORTABLE_FOREVER);
    sut_note("end");
}

static void test_a_sleep_for_ever_has_no_end(void **state)
{
    (void)state;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    sut_start("sleeper", 2, sleep_for_ever, NULL);
    sut_run(UINT64_C(3) << 32);
    assert_string_equal(sut_notes, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spans_are_rounded_up),
        cmocka_unit_test(test_a_sleep_lets_others_run),
        cmocka_unit_test(test_a_sleep_for_ever_has_no_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
