/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "own_budget.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/hooks.h>

/* Two tasks, each with a cell that says here what it was told. */
static const struct hrl_basic tasks[2];
const struct hrl_basic *const hrl_gen_budget_tasks[2] = {&tasks[0], &tasks[1]};
const uint32_t hrl_gen_budget_task_count = 2;
uint32_t hrl_gen_budget_overruns[2];

static enum hrl_budget_action answer;
static struct hrli_budget_watch watch;

enum hrl_budget_action hrl_basic_budget_hook(const struct hrl_basic *task)
{
    sut_note(task == &tasks[0] ? "hook 0" : "hook 1");
    return answer;
}

static void start(void)
{
    sut_note("start");
}

static void again(void)
{
    sut_note("again");
}

static void stop(void)
{
    sut_note("stop");
}

static const struct hrli_own_budget own[2] = {{0, start, again, stop}, {1, start, again, stop}};

static void ended(void) {}

static void inner(void)
{
    assert_true(hrli_own_budget_is_open(&own[0], &watch));
    assert_true(hrli_own_budget_is_open(&own[1], &watch));
}

static void outer(void)
{
    assert_true(hrli_own_budget_is_open(&own[0], &watch));
    assert_false(hrli_own_budget_is_open(&own[1], &watch));
    hrli_own_budget_run(&own[1], &watch, inner);
    assert_false(hrli_own_budget_is_open(&own[1], &watch));
}

static void test_jobs_start_and_stop_their_cells(void **state)
{
    (void)state;
    sut_reset();
    hrli_own_budget_run(&own[0], &watch, outer);
    assert_string_equal(sut_notes, "start start stop stop ");
    assert_null(watch.innermost);
}

static void end_here(void)
{
    void (*leave)(void);

    answer = HRL_BUDGET_END;
    leave = hrli_own_budget_interrupt(&own[1], true, true, hrli_budget_leave(&watch));
    leave();
    sut_note("never");
}

static void end_the_inner_one(void)
{
    hrli_own_budget_run(&own[1], &watch, end_here);
    sut_note("on");
}

static void test_the_innermost_job_is_ended(void **state)
{
    (void)state;
    sut_reset();
    hrli_own_budget_run(&own[0], &watch, end_the_inner_one);
    assert_string_equal(sut_notes, "start start hook 1 stop on stop ");
}

static void test_what_the_interrupt_came_into_decides(void **state)
{
    (void)state;
    sut_reset();
    answer = HRL_BUDGET_CONTINUE;
    assert_null(hrli_own_budget_interrupt(&own[0], true, true, ended));
    assert_null(hrli_own_budget_interrupt(&own[0], false, true, ended));
    assert_null(hrli_own_budget_interrupt(&own[0], false, false, ended));
    assert_null(hrli_own_budget_interrupt(&own[0], true, false, ended));
    answer = HRL_BUDGET_END;
    assert_ptr_equal(hrli_own_budget_interrupt(&own[0], true, true, ended), ended);
    assert_string_equal(sut_notes, "hook 0 start again hook 0 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jobs_start_and_stop_their_cells),
        cmocka_unit_test(test_the_innermost_job_is_ended),
        cmocka_unit_test(test_what_the_interrupt_came_into_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
