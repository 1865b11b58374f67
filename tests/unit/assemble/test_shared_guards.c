/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "deadline_missed.h"
#include "hrlp_host.h"
#include "lines_under_test.h"
#include "shared_guards.h"
#include "single_deadline_task.h"
#include "with_cmocka.h"
#include <hrl/hooks.h>

/*
 * A task, LOW, with a budget of 1000 counts, and one with a deadline that it never reaches; in virtual time. Channel
 * 5 of the machine has both, at the highest level.
 */
enum { LOW, BUDGET = 1000 };

static struct hrl_basic low, other;
const struct hrl_basic *const hrl_gen_budget_tasks[1] = {&low};
const uint32_t hrl_gen_budget_task_count = 1;
uint32_t hrl_gen_budget_overruns[1];

void hrl_gen_body_0(void);
void hrl_gen_body_1(void);

HRLI_SHARED_GUARD_CELL(hrlp_host, 5u)
HRLI_BUDGETS(guard_cell, HRLI_GUARD_BUDGETS, 8u)
HRLI_BUDGETED_TASK(0, 0, BUDGET)
HRLI_DEADLINE_TASKS(&other)
HRLI_SINGLE_DEADLINE(1, guard_cell, HRLI_GUARD_DEADLINES, 1u << 30, 0u, 1u << 29, 300u,
                     hrl_gen_body_1)
HRLI_SHARED_GUARD_HANDLER(host_cell5, hrlp_host, 5u, hrlp_host_consume(50);
                          HRLI_SERVE_SINGLE_DEADLINE(1u << 29))

static hrl_counts begun, missed, used_up;
static hrl_counts execution, deadline;

void hrl_basic_deadline_hook(const struct hrl_basic *task)
{
    assert_ptr_equal(task, &other);
    missed = hrlp_host_now() - begun;
}

enum hrl_budget_action hrl_basic_budget_hook(const struct hrl_basic *task)
{
    assert_ptr_equal(task, &low);
    used_up = hrlp_host_now() - begun;
    return HRL_BUDGET_END;
}

void hrl_gen_body_0(void)
{
    hrlp_irq_state state = hrlp_irq_lock();

    begun = hrlp_host_now();
    deadline_due = (hrl_stamp)(begun + deadline);
    arm_deadline(deadline_due);
    hrlp_irq_unlock(state);
    hrlp_host_consume(execution);
    sut_note("whole");
}

void hrl_gen_body_1(void) {}

static void activate_low(void *argument)
{
    hrlp_irq_state state = hrlp_irq_lock();

    (void)argument;
    hrlp_host_prepare_at(5, 8);
    hrlp_irq_unlock(state);
    assert_int_equal(hrl_basic_activate(lut_task(LOW)), HRL_OK);
    hrlp_host_consume(3 * BUDGET);
}

/* A job of LOW, with a deadline of the other task so long after its begin. */
static void run(hrl_counts lasts, hrl_counts due)
{
    lut_reset();
    hrlp_host_setup.clock_start = ((hrl_counts)1 << 32) - SUT_START_COUNTS - 700;
    lut_add((struct lut_task){.level = 2, .body = hrl_gen_budgeted_0});
    lut_build();
    low = *lut_task(LOW);
    budget_watch = (struct hrli_budget_watch){NULL, NULL};
    guard_requests[HRLI_GUARD_DEADLINES].is_open = guard_requests[HRLI_GUARD_BUDGETS].is_open =
        false;
    missed = used_up = 0;
    execution = lasts;
    deadline = due;
    sut_start("activator", 3, activate_low, NULL);
    assert_string_equal(sut_run(100000), "done");
    assert_null(budget_watch.charged);
    assert_false(guard_requests[HRLI_GUARD_BUDGETS].is_open);
    assert_true(guard_requests[HRLI_GUARD_DEADLINES].is_open);
}

static void test_neither_interrupts_where_both_hold(void **state)
{
    (void)state;
    run(BUDGET - 100, 1u << 28);
    assert_string_equal(sut_notes, "whole ");
    assert_int_equal(missed, 0);
    assert_int_equal(used_up, 0);
}

static void test_the_handler_of_a_deadline_is_not_charged(void **state)
{
    (void)state;
    run(2 * BUDGET, 400);
    assert_string_equal(sut_notes, "");
    assert_int_equal(missed, 400 + 50);
    assert_int_equal(used_up, BUDGET + 50);
}

static void test_at_one_instant_the_deadline_comes_first(void **state)
{
    (void)state;
    run(2 * BUDGET, BUDGET);
    assert_string_equal(sut_notes, "");
    assert_int_equal(missed, BUDGET + 50);
    assert_int_equal(used_up, BUDGET + 50);
}

static void test_a_deadline_behind_a_budget_that_is_used_up_is_not_lost(void **state)
{
    (void)state;
    run(2 * BUDGET, BUDGET + 500);
    assert_string_equal(sut_notes, "");
    assert_int_equal(used_up, BUDGET);
    assert_int_equal(missed, BUDGET + 500 + 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neither_interrupts_where_both_hold),
        cmocka_unit_test(test_the_handler_of_a_deadline_is_not_charged),
        cmocka_unit_test(test_at_one_instant_the_deadline_comes_first),
        cmocka_unit_test(test_a_deadline_behind_a_budget_that_is_used_up_is_not_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
