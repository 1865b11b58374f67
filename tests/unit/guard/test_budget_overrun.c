/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "budget_overrun.h"
#include "system_under_test.h"
#include "with_cmocka.h"

/* In a system that asks for no overruns, and has no hook. */
static const struct hrl_basic task;
const struct hrl_basic *const hrl_gen_budget_tasks[1] = {&task};

static void overrun(void)
{
    (void)hrli_budget_overrun(0);
}

static void test_without_a_hook_a_budget_that_is_used_up_stops_the_program(void **state)
{
    (void)state;
    sut_reset();
    sut_call_to_assertion(overrun,
                          "an execution budget is used up, and there is no hrl_basic_budget_hook");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_hook_a_budget_that_is_used_up_stops_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
