/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "deadline_missed.h"
#include "with_cmocka.h"

static const struct hrl_basic tasks[3];
const struct hrl_basic *const hrl_gen_deadline_tasks[] = {&tasks[2], &tasks[0]};
const uint32_t hrl_gen_deadline_task_count = 2;
uint32_t hrl_gen_deadline_misses[] = {7, 4};
static const struct hrl_basic *told;

void hrl_basic_deadline_hook(const struct hrl_basic *task)
{
    told = task;
}

static void test_misses_are_each_tasks_own(void **state)
{
    (void)state;
    assert_int_equal(hrl_basic_deadline_misses(&tasks[0]), 4);
    assert_int_equal(hrl_basic_deadline_misses(&tasks[1]), 0); /* not monitored */
    assert_int_equal(hrl_basic_deadline_misses(&tasks[2]), 7);
}

static void test_a_miss_is_counted_where_misses_are_asked_for(void **state)
{
    (void)state;
    hrli_deadline_missed(1);
    assert_ptr_equal(told, &tasks[0]);
    assert_int_equal(hrl_basic_deadline_misses(&tasks[0]), 5);
    assert_int_equal(hrl_basic_deadline_misses(&tasks[2]), 7);
}

int main(void)
{
    const struct CMUnitTest tests_of_misses[] = {
        cmocka_unit_test(test_misses_are_each_tasks_own),
        cmocka_unit_test(test_a_miss_is_counted_where_misses_are_asked_for),
    };
    return cmocka_run_group_tests(tests_of_misses, NULL, NULL);
}
