/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/basic.h>
#include <hrl/hooks.h>

/* In a system without monitored deadlines. */
static void test_none_is_monitored(void **state)
{
    const struct hrl_basic task = {0};

    (void)state;
    assert_int_equal(hrl_basic_deadline_misses(&task), 0);
}

static void miss(void)
{
    const struct hrl_basic task = {0};

    hrl_basic_deadline_hook(&task);
}

static void test_without_a_hook_a_missed_deadline_stops_the_program(void **state)
{
    (void)state;
    sut_reset();
    sut_call_to_assertion(
        miss, "a monitored deadline has passed, and there is no hrl_basic_deadline_hook");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none_is_monitored),
        cmocka_unit_test(test_without_a_hook_a_missed_deadline_stops_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
