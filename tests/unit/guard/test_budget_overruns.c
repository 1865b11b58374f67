/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "budget_overrun.h"
#include "with_cmocka.h"

/* Two tasks with budgets, and one without. */
static const struct hrl_basic tasks[3];
const struct hrl_basic *const hrl_gen_budget_tasks[2] = {&tasks[0], &tasks[1]};
const uint32_t hrl_gen_budget_task_count = 2;
uint32_t hrl_gen_budget_overruns[2] = {0, UINT32_MAX};

enum hrl_budget_action hrl_basic_budget_hook(const struct hrl_basic *task)
{
    return task == &tasks[0] ? HRL_BUDGET_END : HRL_BUDGET_CONTINUE;
}

static void test_each_task_has_a_count_that_wraps(void **state)
{
    (void)state;
    assert_int_equal(hrli_budget_overrun(0), HRL_BUDGET_END);
    assert_int_equal(hrli_budget_overrun(1), HRL_BUDGET_CONTINUE);
    assert_int_equal(hrli_budget_overrun(1), HRL_BUDGET_CONTINUE);
    assert_int_equal(hrl_basic_budget_overruns(&tasks[0]), 1);
    assert_int_equal(hrl_basic_budget_overruns(&tasks[1]), 1);
    assert_int_equal(hrl_basic_budget_overruns(&tasks[2]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_task_has_a_count_that_wraps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
