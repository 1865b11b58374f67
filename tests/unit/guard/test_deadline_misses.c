/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "deadline.h"
#include "with_cmocka.h"

static const struct hrl_basic tasks[3];
static const struct hrl_basic *const monitored[] = {&tasks[2], &tasks[0]};
static struct hrli_deadline_job jobs[] = {{0, NULL, 7}, {0, NULL, 4}};
const struct hrli_deadlines hrl_gen_deadlines = {monitored, jobs, 2, NULL, NULL};

static void test_misses_are_each_tasks_own(void **state)
{
    (void)state;
    assert_int_equal(hrl_basic_deadline_misses(&tasks[0]), 4);
    assert_int_equal(hrl_basic_deadline_misses(&tasks[1]), 0); /* not monitored */
    assert_int_equal(hrl_basic_deadline_misses(&tasks[2]), 7);
}

int main(void)
{
    const struct CMUnitTest tests_of_misses[] = {
        cmocka_unit_test(test_misses_are_each_tasks_own),
    };
    return cmocka_run_group_tests(tests_of_misses, NULL, NULL);
}
