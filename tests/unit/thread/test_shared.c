/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shared.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <stdio.h>
#include <string.h>

/* One shared thread with three tasks, a, b and c. tests/conform/release/test_shared.c has random ones. */
enum { TASKS = 3, PERIOD = 1000 };

static hrl_counts costs[TASKS][6]; /* of the first jobs; the others take no time */
static unsigned jobs_run[TASKS];

static void run(unsigned task)
{
    unsigned job = jobs_run[task]++;
    char word[24];

    (void)snprintf(word, sizeof word, "%c%u", (char)('a' + (int)task),
                   (unsigned)(hrlp_host_now() - sut_zero()));
    sut_note(word);
    hrlp_host_consume(job < 6 ? costs[task][job] : 0);
}

static void run_a(void)
{
    run(0);
}

static void run_b(void)
{
    run(1);
}

static void run_c(void)
{
    run(2);
}

static const struct hrli_shared_task tasks[TASKS] = {{run_a, "a"}, {run_b, "b"}, {run_c, "c"}};
static struct hrli_shared_jobs jobs[TASKS];
static struct hrli_shared shared;

static void body(void)
{
    uint32_t span = hrli_shared_span(shared.thread);
    hrl_stamp from = shared.thread->waiter.node.key;

    if (span == 0) {
        hrli_shared_run_slowly(&shared);
        return;
    }
    for (unsigned at = 0; at + 1 < TASKS; at++) {
        tasks[at].body();
        if (hrli_shared_is_late(&shared, from, span)) {
            hrli_shared_end_late(&shared, at);
            return;
        }
    }
    tasks[TASKS - 1].body();
}

static void begin(bool one_shot, struct hrli_period period)
{
    unsigned releaser, task;

    sut_reset();
    memset(costs, 0, sizeof costs);
    memset(jobs, 0, sizeof jobs);
    memset(jobs_run, 0, sizeof jobs_run);
    releaser = sut_add_releaser(
        (struct sut_releaser){.one_shot = one_shot, .cell_period = one_shot ? 0 : PERIOD});
    task = sut_add_task((struct sut_task){
        .releaser = releaser, .level = 3, .period = period, .body = body, .is_shared = true});
    shared = (struct hrli_shared){sut_periodic(task),
                                  one_shot ? NULL : &sut_releaser_of(releaser)->served, tasks, jobs,
                                  TASKS};
}

static void check_overruns(unsigned a, unsigned b, unsigned c)
{
    assert_int_equal(jobs[0].overruns, a);
    assert_int_equal(jobs[1].overruns, b);
    assert_int_equal(jobs[2].overruns, c);
    assert_int_equal(sut_periodic(0)->overruns, a + b + c);
    assert_int_equal(sut_overrun_hooks[0], a + b + c);
}

static void test_a_release_runs_every_task_in_order(void **state)
{
    bool one_shot = *state != NULL;

    begin(one_shot, sut_period(PERIOD, 1));
    costs[0][0] = 10;
    costs[1][0] = 20;
    assert_string_equal(sut_run(2 * PERIOD), "done");
    assert_string_equal(sut_notes, "a0 b10 c30 a1000 b1000 c1000 ");
    check_overruns(0, 0, 0);
}

/* a has ended in time, so it has a job at 1000; b and c have not. */
static void test_a_late_task_has_the_overrun_and_those_behind_it(void **state)
{
    bool one_shot = *state != NULL;

    begin(one_shot, sut_period(PERIOD, 1));
    costs[1][0] = 1200;
    costs[2][0] = 50;
    assert_string_equal(sut_run(3 * PERIOD), "done");
    assert_string_equal(sut_notes, "a0 b0 c1200 a1250 a2000 b2000 c2000 ");
    check_overruns(0, 1, 1);
}

/* No test stands behind the last body: the wait finds it. */
static void test_the_last_task_may_be_the_only_late_one(void **state)
{
    bool one_shot = *state != NULL;

    begin(one_shot, sut_period(PERIOD, 1));
    costs[2][0] = 1500;
    assert_string_equal(sut_run(3 * PERIOD), "done");
    assert_string_equal(sut_notes, "a0 b0 c0 a1500 b1500 a2000 b2000 c2000 ");
    check_overruns(0, 0, 1);
}

/* The job of a for 1000 ends at 3300: its releases at 2000 and 3000 are overruns. */
static void test_a_thread_may_be_late_for_several_releases(void **state)
{
    bool one_shot = *state != NULL;

    begin(one_shot, sut_period(PERIOD, 1));
    costs[1][0] = 3200;
    costs[0][1] = 100;
    assert_string_equal(sut_run(5 * PERIOD), "done");
    assert_string_equal(sut_notes, "a0 b0 c3200 a3200 a4000 b4000 c4000 ");
    check_overruns(2, 3, 3);
}

static void test_the_job_after_a_late_one_may_be_late_again(void **state)
{
    bool one_shot = *state != NULL;

    begin(one_shot, sut_period(PERIOD, 1));
    costs[1][0] = 1200; /* b and c have an overrun at 1000 */
    costs[0][1] = 900;  /* a from 1200 to 2100: one at 2000 */
    assert_string_equal(sut_run(4 * PERIOD), "done");
    assert_string_equal(sut_notes, "a0 b0 c1200 a1200 b2100 c2100 a3000 b3000 c3000 ");
    check_overruns(1, 1, 1);
}

/* Period 1000 1/3: the third release is at 2000, the fourth at 3001. */
static void test_periods_with_a_fraction(void **state)
{
    (void)state;
    begin(true, sut_period(3001, 3));
    costs[0][2] = 1000; /* until 3000, one count before the release */
    assert_string_equal(sut_run(4 * PERIOD), "done");
    assert_string_equal(sut_notes,
                        "a0 b0 c0 a1000 b1000 c1000 a2000 b3000 c3000 a3001 b3001 c3001 ");
    check_overruns(0, 0, 0);
    begin(true, sut_period(3001, 3));
    costs[0][2] = 1002;
    assert_string_equal(sut_run(4 * PERIOD), "done");
    check_overruns(1, 1, 1);
}

/* Near a wrap of the clock's low half each release goes the slow way, and nothing is late. */
static void test_a_wrap_of_the_clock_is_no_overrun(void **state)
{
    bool one_shot = *state != NULL;

    begin(one_shot, sut_period(PERIOD, 1));
    hrlp_host_setup.clock_start = ((hrl_counts)1 << 32) - SUT_START_COUNTS - 2500;
    costs[1][3] = 1200;
    assert_string_equal(sut_run(6 * PERIOD), "done");
    assert_string_equal(sut_notes, "a0 b0 c0 a1000 b1000 c1000 a2000 b2000 c2000 a3000 b3000 "
                                   "c4200 a4200 a5000 b5000 c5000 ");
    check_overruns(0, 1, 1);
}

static void note_name(struct hrl_thread *thread)
{
    sut_note(hrl_thread_name(thread));
}

static void test_the_hook_finds_the_name_of_the_late_task(void **state)
{
    (void)state;
    begin(false, sut_period(PERIOD, 1));
    costs[1][0] = 1200;
    sut_at_overrun = note_name;
    assert_string_equal(sut_run(2 * PERIOD), "done");
    assert_string_equal(sut_notes, "a0 b0 c1200 a1200 b c ");
    assert_string_equal(hrl_thread_name(sut_thread(0)), "task");
}

static void test_no_bit_changes_while_all_tasks_are_in_time(void **state)
{
    (void)state;
    begin(false, sut_period(PERIOD, 1));
    (void)sut_run(3 * PERIOD);
    assert_false(shared.thread->is_behind);
    assert_int_equal(jobs[0].ended + jobs[1].ended + jobs[2].ended, 0);
}

int main(void)
{
    static char one_shot;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_release_runs_every_task_in_order),
        cmocka_unit_test(test_a_late_task_has_the_overrun_and_those_behind_it),
        cmocka_unit_test(test_the_last_task_may_be_the_only_late_one),
        cmocka_unit_test(test_a_thread_may_be_late_for_several_releases),
        cmocka_unit_test(test_the_job_after_a_late_one_may_be_late_again),
        cmocka_unit_test(test_a_wrap_of_the_clock_is_no_overrun),
        cmocka_unit_test_prestate(test_a_release_runs_every_task_in_order, &one_shot),
        cmocka_unit_test_prestate(test_a_late_task_has_the_overrun_and_those_behind_it, &one_shot),
        cmocka_unit_test_prestate(test_the_last_task_may_be_the_only_late_one, &one_shot),
        cmocka_unit_test_prestate(test_a_thread_may_be_late_for_several_releases, &one_shot),
        cmocka_unit_test_prestate(test_the_job_after_a_late_one_may_be_late_again, &one_shot),
        cmocka_unit_test_prestate(test_a_wrap_of_the_clock_is_no_overrun, &one_shot),
        cmocka_unit_test(test_periods_with_a_fraction),
        cmocka_unit_test(test_the_hook_finds_the_name_of_the_late_task),
        cmocka_unit_test(test_no_bit_changes_while_all_tasks_are_in_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
