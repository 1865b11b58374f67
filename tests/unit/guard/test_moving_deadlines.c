/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"
#include "deadline_missed.h"
#include "hrlp_host.h"
#include "moving_deadlines.h"
#include "stamp.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/hooks.h>

/*
 * Two modes of tasks 0 and 1. In the first, of 1000 counts, task 0 has points at 0 and 400 with deadlines at 300 and
 * 900, task 1 one at 100 with a deadline at 500. In the other, of 600, only task 1 is monitored: from 50 to 550.
 */
enum { TASKS = 2, FIRST_ROUND = 1000, OTHER_ROUND = 600, BEFORE = 100 };

static struct hrli_deadline_job jobs[TASKS], other_jobs[TASKS];
static const struct hrli_deadline rows[] = {
    {200, 600, 300, &rows[1], &rows[2], &jobs[0]},
    {400, FIRST_ROUND, 400, &rows[2], &rows[1], &jobs[1]},
    {400, 400, 500, &rows[0], &rows[0], &jobs[0]},
};
static const struct hrli_deadline other_rows[] = {
    {OTHER_ROUND, OTHER_ROUND, 500, &other_rows[0], &other_rows[0], &other_jobs[1]},
};
static const struct hrl_basic tasks[TASKS];
const struct hrl_basic *const hrl_gen_deadline_tasks[TASKS] = {&tasks[0], &tasks[1]};
const uint32_t hrl_gen_deadline_task_count = TASKS;
uint32_t hrl_gen_deadline_misses[TASKS];
static struct hrli_moving_deadlines first, other;
static hrl_stamp armed, zero;
static bool is_armed;
static unsigned hooks[TASKS];

static void arm(hrl_stamp due)
{
    assert_true(hrlp_host_interrupts_off());
    armed = due;
    is_armed = true;
}

static void disarm(void)
{
    is_armed = false;
}

static struct hrli_deadline_mover mover = {NULL, arm, disarm};

void hrl_basic_deadline_hook(const struct hrl_basic *task)
{
    hooks[task - tasks]++;
}

static void start(void)
{
    sut_reset();
    hrlp_host_setup.clock_start = ((hrl_counts)1 << 32) - 1500;
    hrli_clock_start();
    zero = (hrl_stamp)hrlp_host_now() + BEFORE;
    jobs[0] = (struct hrli_deadline_job){300, &rows[0]};
    jobs[1] = (struct hrli_deadline_job){500, &rows[1]};
    first = (struct hrli_moving_deadlines){{300, &rows[0]}, jobs, 0, 0};
    other_jobs[0] = (struct hrli_deadline_job){0, NULL};
    other_jobs[1] = (struct hrli_deadline_job){550, &other_rows[0]};
    other = (struct hrli_moving_deadlines){{550, &other_rows[0]}, other_jobs, 0, 0};
    hooks[0] = hooks[1] = 0;
    mover.running = NULL;
    hrli_moving_deadlines_begin(&mover, &first, zero);
    hrlp_irq_unlock(0);
}

static void pass_until(uint32_t counts)
{
    while (is_armed && !hrli_stamp_after(armed, zero + counts)) {
        if (hrli_stamp_after(armed, (hrl_stamp)hrlp_host_now())) {
            hrlp_host_consume(armed - (hrl_stamp)hrlp_host_now());
        }
        hrli_moving_deadlines_interrupt(&mover);
    }
    hrlp_host_consume(zero + counts - (hrl_stamp)hrlp_host_now());
}

static void end_job(uint32_t task)
{
    hrli_moving_deadlines_job_end(&mover, task);
}

/* A round of the first mode from `begin` on, in which all deadlines hold. */
static void pass_round(uint32_t begin)
{
    pass_until(begin + 50);
    end_job(0);
    pass_until(begin + 200);
    end_job(1);
    pass_until(begin + 450);
    end_job(0);
}

static void change(struct hrli_moving_deadlines *to, uint32_t end)
{
    hrlp_irq_state state;

    pass_until(end);
    state = hrlp_irq_lock();
    assert_false(hrli_moving_deadlines_are_open(&mover, zero + end));
    hrli_moving_deadlines_end(&mover, zero + end);
    hrli_moving_deadlines_begin(&mover, to, zero + end);
    hrlp_irq_unlock(state);
}

static void test_deadlines_that_hold_are_silent_in_every_round(void **state)
{
    (void)state;
    start();
    for (uint32_t begin = 0; begin < 4 * FIRST_ROUND; begin += FIRST_ROUND) {
        pass_round(begin);
    }
    assert_int_equal(hooks[0] + hooks[1], 0);
    assert_int_equal(armed, zero + 4300);
}

static void test_a_shift_moves_all_that_is_to_come(void **state)
{
    hrlp_irq_state lock;

    (void)state;
    start();
    pass_round(0);
    pass_until(950);
    lock = hrlp_irq_lock();
    hrli_moving_deadlines_shift(&mover, 0u - 30u);
    hrlp_irq_unlock(lock);
    assert_int_equal(armed, zero + 1270);
    pass_until(1271);
    assert_int_equal(hooks[0], 1); /* no job of the shifted round has ended */
    end_job(0);
    pass_until(1469);
    assert_int_equal(hooks[1], 0);
    pass_until(1470);
    assert_int_equal(hooks[1], 1);
}

static void test_a_mode_that_comes_back_goes_on_with_its_next_round(void **state)
{
    (void)state;
    start();
    pass_round(0);
    change(&other, 1000);
    assert_int_equal(armed, zero + 1550);
    end_job(0); /* not monitored in this mode */
    pass_until(1400);
    end_job(1);
    change(&first, 1600);
    assert_int_equal(armed, zero + 1900);
    pass_round(1600);
    change(&other, 2600);
    pass_until(3150);
    assert_int_equal(hooks[1], 1);
    assert_int_equal(hooks[0], 0);
}

static void test_nothing_is_monitored_while_none_runs(void **state)
{
    (void)state;
    start();
    pass_round(0);
    change(NULL, 1000);
    assert_false(is_armed);
    end_job(0);
    pass_until(3000);
    hrli_moving_deadlines_interrupt(&mover); /* it was on its way */
    assert_int_equal(hooks[0] + hooks[1], 0);
    assert_false(is_armed);
    change(&first, 3000);
    pass_until(3300);
    assert_int_equal(hooks[0], 1);
}

static void test_a_shift_while_none_runs_moves_nothing(void **state)
{
    hrlp_irq_state lock;

    (void)state;
    start();
    pass_round(0);
    change(NULL, 1000);
    lock = hrlp_irq_lock();
    hrli_moving_deadlines_shift(&mover, 30);
    hrlp_irq_unlock(lock);
    assert_false(is_armed);
    change(&first, 3000);
    assert_int_equal(armed, zero + 3300); /* where it would be without */
}

static void test_a_deadline_at_the_end_is_open_until_it_is_told_of(void **state)
{
    (void)state;
    start();
    hrlp_host_consume(BEFORE + 301); /* its interrupt waits */
    (void)hrlp_irq_lock();
    assert_true(hrli_moving_deadlines_are_open(&mover, zero + 300));
    hrlp_irq_unlock(0);
    hrli_moving_deadlines_interrupt(&mover);
    assert_int_equal(hooks[0], 1);
    (void)hrlp_irq_lock();
    assert_false(hrli_moving_deadlines_are_open(&mover, zero + 300));
    hrlp_irq_unlock(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deadlines_that_hold_are_silent_in_every_round),
        cmocka_unit_test(test_a_shift_moves_all_that_is_to_come),
        cmocka_unit_test(test_a_mode_that_comes_back_goes_on_with_its_next_round),
        cmocka_unit_test(test_nothing_is_monitored_while_none_runs),
        cmocka_unit_test(test_a_shift_while_none_runs_moves_nothing),
        cmocka_unit_test(test_a_deadline_at_the_end_is_open_until_it_is_told_of),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
