/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "with_cmocka.h"
#include <hrl/basic.h>

/* In a system without budgets. */
static void test_no_budget_is_used_up(void **state)
{
    const struct hrl_basic task = {0};

    (void)state;
    assert_int_equal(hrl_basic_budget_overruns(&task), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_budget_is_used_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
