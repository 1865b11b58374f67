/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"
#include "deadline.h"
#include "deadline_missed.h"
#include "hrlp_host.h"
#include "random.h"
#include "single_deadline.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/hooks.h>

/*
 * A task with a point every 500 counts, and a deadline 300 counts behind each. Time is virtual, and wraps in
 * the first rounds. Beside it the general way (deadline.h) monitors the same.
 */
enum { STEP = 500, AFTER = 300, ZERO = 100 };

static const struct hrl_basic task;
const struct hrl_basic *const hrl_gen_deadline_tasks[] = {&task};
const uint32_t hrl_gen_deadline_task_count = 1;
uint32_t hrl_gen_deadline_misses[1];
static hrl_stamp due, armed, zero;
static unsigned arms, hooks;

static void arm(hrl_stamp to)
{
    assert_true(hrlp_host_interrupts_off());
    armed = to;
    arms++;
}

void hrl_basic_deadline_hook(const struct hrl_basic *of)
{
    assert_ptr_equal(of, &task);
    hooks++;
}

static struct hrli_deadline_job job;
static const struct hrli_deadline row = {STEP, STEP, AFTER, &row, &row, &job};
static struct hrli_deadline_watch watch;
static hrl_stamp general_armed;

static void arm_general(hrl_stamp to)
{
    general_armed = to;
}

static void start(void)
{
    sut_reset();
    hrlp_host_setup.clock_start = ((hrl_counts)1 << 32) - 1500;
    hrli_clock_start();
    hrlp_irq_unlock(0);
    zero = (hrl_stamp)hrlp_host_now() + ZERO;
    due = armed = general_armed = zero + AFTER;
    job = (struct hrli_deadline_job){due, &row};
    watch = (struct hrli_deadline_watch){due, &row};
    arms = hooks = hrl_gen_deadline_misses[0] = 0;
}

static void end(void)
{
    hrli_single_deadline_end(&due, STEP, AFTER, arm);
}

static void interrupt(void)
{
    hrli_single_deadline_interrupt(&due, STEP, arm);
}

/* Time passes up to `counts` after t = 0, with the interrupts of the cell. */
static void pass_until(uint32_t counts)
{
    while (!hrli_stamp_after(armed, zero + counts)) {
        if (hrli_stamp_after(armed, (hrl_stamp)hrlp_host_now())) {
            hrlp_host_consume(armed - (hrl_stamp)hrlp_host_now());
        }
        interrupt();
    }
    hrlp_host_consume(zero + counts - (hrl_stamp)hrlp_host_now());
}

static void test_deadlines_that_hold_cause_no_interrupt(void **state)
{
    (void)state;
    start();
    for (uint32_t point = 0; point < 10 * STEP; point += STEP) {
        pass_until(point + 50);
        end();
    }
    assert_int_equal(hooks, 0);
    assert_int_equal(arms, 10);
    assert_int_equal(armed, zero + 10 * STEP + AFTER);
}

static void test_a_job_that_ends_behind_its_deadline_does_not_count_for_the_next(void **state)
{
    (void)state;
    start();
    pass_until(450);
    assert_int_equal(hooks, 1);
    end(); /* late, before the next point */
    assert_int_equal(due, zero + STEP + AFTER);
    pass_until(550);
    end();
    assert_int_equal(due, zero + 2 * STEP + AFTER);
    pass_until(900);
    assert_int_equal(hooks, 1);
    assert_int_equal(hrl_basic_deadline_misses(&task), 1);
}

static void test_a_late_handler_loses_none(void **state)
{
    (void)state;
    start();
    hrlp_host_consume(ZERO + 3 * STEP + 290);
    interrupt();
    assert_int_equal(hooks, 3);
    assert_int_equal(armed, zero + 3 * STEP + AFTER);
}

/* Jobs end at any time; the general way has the same deadlines, and misses. */
static void test_as_the_general_way(void **state)
{
    struct random random = {11};
    unsigned general_misses = 0;
    uint32_t now = 0;

    (void)state;
    start();
    for (unsigned turn = 0; turn < 3000; turn++) {
        now += random_below(&random, 400);
        pass_until(now);
        while (!hrli_stamp_after(watch.due, (hrl_stamp)hrlp_host_now())) {
            hrli_deadline_move_on(&job, job.at);
            hrli_deadline_watch_next(&watch);
            general_misses++;
        }
        end();
        hrli_deadline_end(&job, &watch, arm_general);
        assert_int_equal(due, watch.due);
        assert_int_equal(hooks, general_misses);
    }
    assert_true(hooks > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deadlines_that_hold_cause_no_interrupt),
        cmocka_unit_test(test_a_job_that_ends_behind_its_deadline_does_not_count_for_the_next),
        cmocka_unit_test(test_a_late_handler_loses_none),
        cmocka_unit_test(test_as_the_general_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
