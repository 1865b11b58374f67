/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "budget.h"
#include "budgets.h"
#include "hrlp_host.h"
#include "lines_under_test.h"
#include "with_cmocka.h"
#include <hrl/hooks.h>
#include <hrl/resource.h>
#include <string.h>

/*
 * A task with a budget of 1000 counts, LOW, and HIGH, which comes into it; in virtual time, which wraps. The
 * budget's cell is channel 5 of the machine, at the highest level.
 */
enum { HIGH, LOW, BUDGET = 1000, TOP = 8 };

void hrl_gen_body_0(void);
void hrl_gen_body_1(void);

static struct hrl_basic low;
const struct hrl_basic *const hrl_gen_budget_tasks[1] = {&low};
const uint32_t hrl_gen_budget_task_count = 1;
uint32_t hrl_gen_budget_overruns[1];

HRLI_BUDGETS(hrlp_host, 5u, 8u)
HRLI_BUDGET_HANDLER(host_cell5)
HRLI_BUDGETED_TASK(0, 0, BUDGET)
HRLI_PAUSING_TASK(1, hrl_gen_body_1)
HRL_RESOURCE_DEFINE(shared, 6);

static enum hrl_budget_action answer;
static hrl_counts begun, hooked[8], ended;
static unsigned hooks;
static void (*low_body)(void);
static hrl_counts high_counts;

enum hrl_budget_action hrl_basic_budget_hook(const struct hrl_basic *task)
{
    assert_ptr_equal(task, &low);
    hooked[hooks++] = hrlp_host_now() - begun;
    return answer;
}

void hrl_gen_body_0(void)
{
    begun = hrlp_host_now();
    low_body();
    sut_note("whole");
}

void hrl_gen_body_1(void)
{
    hrlp_host_consume(high_counts);
    sut_note("high");
}

static void activate_low(void *argument)
{
    hrlp_irq_state state = hrlp_irq_lock();

    (void)argument;
    hrlp_host_prepare_at(5, TOP);
    hrlp_irq_unlock(state);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(hrl_basic_activate(lut_task(LOW)), HRL_OK);
        ended = hrlp_host_now() - begun;
        assert_int_equal(hrl_basic_activate(lut_task(HIGH)), HRL_OK); /* no ceiling holds it off */
        sut_note("|");
    }
}

/* Two jobs of LOW; the hook answers `so`. */
static void run(void (*body)(void), enum hrl_budget_action so)
{
    lut_reset();
    hrlp_host_setup.clock_start = ((hrl_counts)1 << 32) - SUT_START_COUNTS - 500;
    lut_add((struct lut_task){.level = 6, .body = hrl_gen_pausing_1});
    lut_add((struct lut_task){.level = 2, .body = hrl_gen_budgeted_0});
    lut_build();
    memcpy(&low, lut_task(LOW), sizeof low);
    memset(&budget_watch, 0, sizeof budget_watch);
    hooks = hrl_gen_budget_overruns[0] = 0;
    low_body = body;
    answer = so;
    high_counts = 300;
    sut_start("activator", 3, activate_low, NULL);
    assert_string_equal(sut_run(100000), "done");
    assert_null(budget_watch.innermost);
    assert_null(budget_watch.charged);
    assert_int_equal(hrl_basic_budget_overruns(&low), hooks);
}

static void take_nearly_all(void)
{
    hrlp_host_consume(BUDGET - 1);
}

static void test_a_budget_that_holds_calls_no_hook(void **state)
{
    (void)state;
    run(take_nearly_all, HRL_BUDGET_STOP);
    assert_string_equal(sut_notes, "whole high | whole high | ");
    assert_int_equal(hooks, 0);
}

static __attribute__((noinline)) void take_too_much(void)
{
    volatile char room[64] = "something on the stack";

    hrlp_host_consume(5 * BUDGET / 2);
    sut_note(room[0] == 's' ? "end" : "");
}

static void test_a_job_goes_on_with_a_new_budget(void **state)
{
    (void)state;
    run(take_too_much, HRL_BUDGET_CONTINUE);
    assert_string_equal(sut_notes, "end whole high | end whole high | ");
    assert_int_equal(hooks, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(hooked[i], i % 2 == 0 ? BUDGET : 2 * BUDGET);
    }
}

static void test_a_job_is_ended_where_it_is(void **state)
{
    (void)state;
    run(take_too_much, HRL_BUDGET_END);
    assert_string_equal(sut_notes, "high | high | ");
    assert_int_equal(hooks, 2);
    assert_int_equal(hooked[1], BUDGET);
    assert_int_equal(ended, BUDGET);
}

static void be_preempted(void)
{
    hrlp_host_consume(BUDGET / 2);
    assert_int_equal(hrl_basic_activate(lut_task(HIGH)), HRL_OK);
    hrlp_host_consume(BUDGET);
}

static void test_a_preempting_task_is_not_charged(void **state)
{
    (void)state;
    run(be_preempted, HRL_BUDGET_END);
    assert_string_equal(sut_notes, "high high | high high | ");
    assert_int_equal(hooked[0], BUDGET + 300);
}

static void be_preempted_at_the_end(void)
{
    hrlp_irq_state state;

    hrlp_host_consume(BUDGET - 10);
    state = hrlp_irq_lock();
    hrlp_host_consume(20); /* it is used up, and nothing interrupts */
    answer = HRL_BUDGET_CONTINUE;
    hrlp_irq_unlock(state);
    hrlp_host_consume(10);
}

static void test_a_budget_that_is_used_up_with_interrupts_masked_calls_the_hook_then(void **state)
{
    (void)state;
    run(be_preempted_at_the_end, HRL_BUDGET_END);
    assert_string_equal(sut_notes, "whole high | whole high | ");
    assert_int_equal(hooks, 2);
    assert_int_equal(hooked[0], BUDGET + 10);
}

static void hold_a_resource(void)
{
    hrl_resource_take(&shared);
    hrlp_host_consume(2 * BUDGET);
    sut_note("never");
}

static void test_the_resources_of_a_job_that_is_ended_are_given_back(void **state)
{
    (void)state;
    run(hold_a_resource, HRL_BUDGET_END);
    assert_string_equal(sut_notes, "high | high | ");
    assert_int_equal(ended, BUDGET);
}

static bool top;

static bool is_top(const struct hrl_basic *task)
{
    assert_ptr_equal(task, &low);
    return top;
}

/* As if a handler had begun, and not paused the budget yet. */
static void test_a_job_that_is_interrupted_already_is_looked_at_again(void **state)
{
    struct hrli_budget_job job = {.counts = BUDGET};

    (void)state;
    lut_reset();
    hooks = 0;
    answer = HRL_BUDGET_CONTINUE;
    hrli_budget_resume(&budgets, &job); /* nothing is left */
    assert_ptr_equal(budget_watch.charged, &job);
    top = false;
    assert_null(hrli_budget_interrupt(&budgets, is_top));
    assert_int_equal(hooks, 0);
    assert_ptr_equal(hrli_budget_pause(&budgets), &job);
    hrli_budget_resume(&budgets, &job);
    top = true;
    begun = 0;
    assert_null(hrli_budget_interrupt(&budgets, is_top));
    assert_int_equal(hooks, 1);
    assert_int_equal(job.due - (uint32_t)hrlp_host_now(), BUDGET);
    assert_null(hrli_budget_interrupt(&budgets, is_top)); /* it is not used up */
    assert_ptr_equal(hrli_budget_pause(&budgets), &job);
    assert_null(hrli_budget_pause(&budgets));
    hrli_budget_resume(&budgets, NULL);
    assert_null(hrli_budget_interrupt(&budgets, is_top)); /* no job is charged */
    assert_int_equal(hooks, 1);
}

static struct hrli_budget_job used_up = {.counts = BUDGET};

static void be_stopped(void)
{
    (void)hrli_budget_interrupt(&budgets, is_top);
}

static void test_the_hook_can_stop_the_program(void **state)
{
    (void)state;
    lut_reset();
    hooks = 0;
    answer = HRL_BUDGET_STOP;
    top = true;
    hrli_budget_resume(&budgets, &used_up);
    sut_call_to_assertion(be_stopped,
                          "an execution budget is used up, and its hook stops the program");
    budget_watch.charged = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_budget_that_holds_calls_no_hook),
        cmocka_unit_test(test_a_job_goes_on_with_a_new_budget),
        cmocka_unit_test(test_a_job_is_ended_where_it_is),
        cmocka_unit_test(test_a_preempting_task_is_not_charged),
        cmocka_unit_test(test_a_budget_that_is_used_up_with_interrupts_masked_calls_the_hook_then),
        cmocka_unit_test(test_the_resources_of_a_job_that_is_ended_are_given_back),
        cmocka_unit_test(test_a_job_that_is_interrupted_already_is_looked_at_again),
        cmocka_unit_test(test_the_hook_can_stop_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
