/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "own_deadline.h"
#include "random.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/hooks.h>

/*
 * A task with a point every STEP counts and a deadline AFTER it, on a cell of virtual time: `now` and `compare`
 * wrap. The models know instants of 64 bits.
 */
enum { STEP = 1000, AFTER = 300, FIRST = 100 };

const struct hrl_basic *const hrl_gen_deadline_tasks[1];
const uint32_t hrl_gen_deadline_task_count = 1;
uint32_t hrl_gen_deadline_misses[1];

static uint64_t now, zero;
static uint32_t compare;
static volatile uint32_t step_word;
static unsigned hooks, lates;

void hrl_basic_deadline_hook(const struct hrl_basic *task)
{
    assert_null(task);
    hooks++;
}

static int32_t ahead(void)
{
    return (int32_t)(compare - (uint32_t)now);
}

static void move(uint32_t by)
{
    compare += by;
}

/* The deadline passes amid the end of its job: before or behind the load, or before the store. */
static bool passes_first, passes_before, passes_after;

static void pass(bool *passes)
{
    if (*passes) {
        *passes = false;
        now += (uint32_t)(compare - (uint32_t)now);
        hrli_own_deadline_interrupt(0, &step_word, STEP, ahead, move);
    }
}

static uint32_t read_compare(void)
{
    uint32_t read;

    pass(&passes_first);
    read = compare;
    pass(&passes_before);
    return read;
}

static void set_compare(uint32_t to)
{
    pass(&passes_after);
    compare = to;
}

static void late(void)
{
    lates++;
    hrli_own_deadline_late(&step_word, STEP, AFTER, ahead, move);
}

static void end(void)
{
    hrli_own_deadline_end(&step_word, read_compare, set_compare, late);
}

/* Time passes, and the cell interrupts when its counter steps onto the comparison. */
static void pass_until(uint64_t then)
{
    while (now < then) {
        uint32_t left = compare - (uint32_t)now;

        if (left == 0 || left > then - now) {
            now = then;
        } else {
            now += left;
            hrli_own_deadline_interrupt(0, &step_word, STEP, ahead, move);
        }
    }
}

static void start(void)
{
    sut_reset();
    hrlp_irq_unlock(0);
    zero = ((uint64_t)1 << 32) - 2500;
    now = zero;
    compare = (uint32_t)zero + FIRST + AFTER;
    step_word = STEP;
    hooks = lates = hrl_gen_deadline_misses[0] = 0;
}

static uint64_t point(uint64_t number)
{
    return zero + FIRST + number * STEP;
}

static void test_deadlines_that_hold_cause_no_interrupt(void **state)
{
    (void)state;
    start();
    for (uint64_t job = 0; job < 8; job++) {
        pass_until(point(job) + 200);
        end();
        assert_int_equal(compare, (uint32_t)(point(job + 1) + AFTER));
    }
    assert_int_equal(hooks, 0);
    assert_int_equal(lates, 0);
}

static void test_a_late_job_misses_once(void **state)
{
    (void)state;
    start();
    pass_until(point(0) + AFTER - 1);
    assert_int_equal(hooks, 0);
    pass_until(point(0) + AFTER);
    assert_int_equal(hooks, 1);
    pass_until(point(0) + 700);
    end(); /* the next point's deadline stays */
    pass_until(point(1) + 10);
    end();
    pass_until(point(2) + 10);
    end();
    pass_until(point(3) - 1);
    assert_int_equal(hooks, 1);
    assert_int_equal(lates, 1);
    assert_int_equal(hrl_gen_deadline_misses[0], 0); /* it is not asked for here */
}

static void test_a_job_that_does_not_end_misses_every_deadline(void **state)
{
    (void)state;
    start();
    pass_until(point(3) + 10); /* three points were passed over */
    assert_int_equal(hooks, 3);
    end(); /* of the first job: with it that of point 3, which it holds off */
    pass_until(point(4));
    assert_int_equal(hooks, 3);
    pass_until(point(4) + AFTER);
    assert_int_equal(hooks, 4);
}

static void check_amid(bool *passes)
{
    start();
    pass_until(point(0) + AFTER - 1);
    *passes = true;
    end();
    assert_false(*passes);
    assert_int_equal(hooks, 1);
    pass_until(point(1) + AFTER - 1);
    assert_int_equal(hooks, 1);
    pass_until(point(1) + AFTER); /* the next job has not ended by then */
    assert_int_equal(hooks, 2);
}

static void test_a_deadline_that_passes_amid_the_end_leaves_the_next_one_monitored(void **state)
{
    (void)state;
    check_amid(&passes_first);
    check_amid(&passes_before);
    check_amid(&passes_after);
}

/* What a hook of more than a step, or a job that ends at its deadline, leaves. */
static void test_what_has_passed_is_left_behind(void **state)
{
    (void)state;
    assert_int_equal(hrli_own_deadline_behind(AFTER + 1, STEP, AFTER), 0);
    assert_int_equal(hrli_own_deadline_behind(AFTER, STEP, AFTER), STEP);
    assert_int_equal(hrli_own_deadline_behind(1, STEP, AFTER), STEP);
    assert_int_equal(hrli_own_deadline_behind(0, STEP, AFTER), STEP);
    assert_int_equal(hrli_own_deadline_behind(-1800, STEP, AFTER), 3 * STEP);
    assert_int_equal(hrli_own_deadline_behind(-1600, STEP, AFTER), 2 * STEP);
}

/* Jobs of random lengths against a model in 64 bits: a deadline is missed if its job has not ended. */
static void test_jobs_of_random_lengths(void **state)
{
    struct random random = {21};

    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        uint64_t free = 0, next = 0;
        unsigned missed = 0;

        start();
        for (unsigned job = 0; job < 50; job++) {
            uint64_t begins = point(next) > free ? point(next) : free;
            uint64_t ends = begins + 1 + random_below(&random, round % 2 == 0 ? 250 : 2500);
            uint64_t last = next;

            while (point(last + 1) <= ends) { /* passed over, as this job runs */
                last++;
            }
            for (uint64_t at = next; at <= last; at++) {
                missed += point(at) + AFTER <= ends;
            }
            pass_until(ends);
            end();
            assert_int_equal(hooks, missed);
            free = ends;
            next = last + 1;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deadlines_that_hold_cause_no_interrupt),
        cmocka_unit_test(test_a_late_job_misses_once),
        cmocka_unit_test(test_a_job_that_does_not_end_misses_every_deadline),
        cmocka_unit_test(test_a_deadline_that_passes_amid_the_end_leaves_the_next_one_monitored),
        cmocka_unit_test(test_what_has_passed_is_left_behind),
        cmocka_unit_test(test_jobs_of_random_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
