/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"
#include "deadline.h"
#include "deadline_missed.h"
#include "hrlp_host.h"
#include "random.h"
#include "stamp.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/hooks.h>

/*
 * A round of 1000 counts with three tasks. Task 0 has points at 0 and 500, task 1 at 100 with a deadline in
 * the next round, task 2 at 400. Time is virtual, and wraps in the first rounds.
 */
enum { TASKS = 3, POINTS = 4, ROUND = 1000, ZERO = 100 };

static const struct {
    uint32_t task, point, due;
} round_of[POINTS] = {{1, 100, 1100}, {0, 0, 300}, {2, 400, 450}, {0, 500, 800}};
static const struct hrli_deadline rows[POINTS];
static struct hrli_deadline_job jobs[TASKS];
static const struct hrli_deadline rows[POINTS] = {
    {200, ROUND, 1000, &rows[1], &rows[0], &jobs[1]},
    {150, 500, 300, &rows[2], &rows[3], &jobs[0]},
    {350, ROUND, 50, &rows[3], &rows[2], &jobs[2]},
    {300, 500, 300, &rows[0], &rows[1], &jobs[0]},
};
static const struct hrl_basic tasks[TASKS];
const struct hrl_basic *const hrl_gen_deadline_tasks[TASKS] = {&tasks[0], &tasks[1], &tasks[2]};
const uint32_t hrl_gen_deadline_task_count = TASKS;
uint32_t hrl_gen_deadline_misses[TASKS];
static struct hrli_deadline_watch watch;
static hrl_stamp armed, zero;
static unsigned arms, hooks[TASKS];

static void arm(hrl_stamp due)
{
    assert_true(hrlp_host_interrupts_off());
    armed = due;
    arms++;
}

static const struct hrli_deadlines deadlines = {jobs, &watch, arm};

void hrl_basic_deadline_hook(const struct hrl_basic *task)
{
    hooks[task - tasks]++;
}

static void end(uint32_t task)
{
    hrli_deadline_end(&jobs[task], &watch, arm);
}

static void start(void)
{
    sut_reset();
    hrlp_host_setup.clock_start = ((hrl_counts)1 << 32) - 1500;
    hrli_clock_start();
    hrlp_irq_unlock(0);
    zero = (hrl_stamp)hrlp_host_now() + ZERO;
    jobs[0] = (struct hrli_deadline_job){zero + 300, &rows[1]};
    jobs[1] = (struct hrli_deadline_job){zero + 1100, &rows[0]};
    jobs[2] = (struct hrli_deadline_job){zero + 450, &rows[2]};
    watch = (struct hrli_deadline_watch){zero + 300, &rows[1]};
    armed = watch.due;
    arms = 0;
    for (unsigned i = 0; i < TASKS; i++) {
        hooks[i] = hrl_gen_deadline_misses[i] = 0;
    }
}

/* Time passes up to `counts` after t = 0, with the interrupts of the cell. */
static void pass_until(uint32_t counts)
{
    while (!hrli_stamp_after(armed, zero + counts)) {
        if (hrli_stamp_after(armed, (hrl_stamp)hrlp_host_now())) {
            hrlp_host_consume(armed - (hrl_stamp)hrlp_host_now());
        }
        hrli_deadline_interrupt(&deadlines);
    }
    hrlp_host_consume(zero + counts - (hrl_stamp)hrlp_host_now());
}

static void test_deadlines_that_hold_cause_no_interrupt(void **state)
{
    (void)state;
    start();
    for (uint32_t begin = 0; begin < 5 * ROUND; begin += ROUND) {
        pass_until(begin + 50);
        end(0);
        pass_until(begin + 420);
        end(2);
        pass_until(begin + 600);
        end(0);
        pass_until(begin + 900);
        end(1);
    }
    assert_int_equal(hooks[0] + hooks[1] + hooks[2], 0);
    assert_int_equal(arms,
                     4 * 5); /* each end moved the cell on: they came in the deadlines' order */
}

static void test_a_job_that_ends_behind_its_deadline_does_not_count_for_the_next(void **state)
{
    (void)state;
    start();
    pass_until(450);
    assert_int_equal(hooks[0], 1);
    end(0); /* late, before the next point */
    pass_until(490);
    assert_int_equal(jobs[0].due, zero + 800);
    end(0); /* of no point: the application activated it */
    assert_int_equal(jobs[0].due, zero + 800);
    pass_until(550);
    end(0);
    assert_int_equal(jobs[0].due, zero + 1300);
    pass_until(900);
    assert_int_equal(hooks[0], 1);
    assert_int_equal(hrl_basic_deadline_misses(&tasks[0]), 1);
}

static void test_ends_out_of_order_are_stepped_over(void **state)
{
    (void)state;
    start();
    pass_until(410);
    assert_int_equal(hooks[0], 1);
    assert_int_equal(armed, zero + 450);
    end(1); /* its deadline is the last one */
    assert_int_equal(arms, 1);
    pass_until(790);
    assert_int_equal(hooks[2], 1);
    end(0);
    assert_int_equal(armed, zero + 1300); /* over that of task 1, at 1100 */
    assert_int_equal(hrl_basic_deadline_misses(&tasks[1]), 0);
}

static void test_a_late_handler_loses_none(void **state)
{
    (void)state;
    start();
    hrlp_host_consume(ZERO + 3 * ROUND + 290);
    hrli_deadline_interrupt(&deadlines);
    assert_int_equal(hooks[0], 6);
    assert_int_equal(hooks[1], 3);
    assert_int_equal(hooks[2], 3);
    assert_int_equal(armed, zero + 3300);
}

static void test_an_unknown_task_has_no_misses(void **state)
{
    const struct hrl_basic other = {0};

    (void)state;
    start();
    assert_int_equal(hrl_basic_deadline_misses(&other), 0);
}

/* The deadline of `task` that is the next one whose job has not ended, by the points themselves. */
static uint32_t next_due(uint32_t task, uint32_t behind)
{
    uint32_t best = UINT32_MAX;

    for (uint32_t i = 0; i < POINTS; i++) {
        if (round_of[i].task == task) {
            uint32_t due = round_of[i].due;

            while (due <= behind) {
                due += ROUND;
            }
            best = due < best ? due : best;
        }
    }
    return best;
}

static uint32_t point_of(uint32_t task, uint32_t due)
{
    for (uint32_t i = 0; i < POINTS; i++) {
        if (round_of[i].task == task && (due - round_of[i].due) % ROUND == 0) {
            return due - (round_of[i].due - round_of[i].point);
        }
    }
    return UINT32_MAX;
}

/* Jobs end at any time; the model knows each task's next deadline, and the earliest of them. */
static void test_against_a_model(void **state)
{
    struct random random = {7};
    uint32_t due[TASKS], misses[TASKS] = {0, 0, 0};
    uint32_t now = 0;

    (void)state;
    start();
    for (uint32_t task = 0; task < TASKS; task++) {
        due[task] = next_due(task, 0);
    }
    pass_until(0);
    for (unsigned step = 0; step < 20000; step++) {
        uint32_t task = random_below(&random, TASKS);

        now += 10u * random_below(&random, 30);
        pass_until(now);
        for (uint32_t i = 0; i < TASKS; i++) {
            while (due[i] <= now) {
                misses[i]++;
                due[i] = next_due(i, due[i]);
            }
        }
        end(task);
        if (point_of(task, due[task]) <= now) {
            due[task] = next_due(task, due[task]);
        }
        for (uint32_t i = 0; i < TASKS; i++) {
            assert_int_equal(jobs[i].due, zero + due[i]);
            assert_int_equal(hooks[i], misses[i]);
            assert_true(!hrli_stamp_after(armed, jobs[i].due));
        }
        assert_true(armed == jobs[0].due || armed == jobs[1].due || armed == jobs[2].due);
    }
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_deadlines_that_hold_cause_no_interrupt),
        cmocka_unit_test(test_a_job_that_ends_behind_its_deadline_does_not_count_for_the_next),
        cmocka_unit_test(test_ends_out_of_order_are_stepped_over),
        cmocka_unit_test(test_a_late_handler_loses_none),
        cmocka_unit_test(test_an_unknown_task_has_no_misses),
        cmocka_unit_test(test_against_a_model),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}
