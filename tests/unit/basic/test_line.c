/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "line.h"
#include "line_state.h"
#include "lines_under_test.h"
#include "with_cmocka.h"
#include <string.h>

/* Lines without a system: the handlers' parts, called as the controller would. */

enum { FIRST, SECOND, THIRD };

static void reset(void)
{
    lut_reset();
    hrlp_irq_unlock(HRLP_IRQ_UNLOCKED); /* as in a handler */
}

static void note(void)
{
    sut_note("job");
}

static struct hrli_line_words words;
static uint32_t released_meanwhile;

static void first(void)
{
    sut_note("first");
    assert_int_equal(words.current, FIRST);
}

static void second(void)
{
    sut_note("second");
    assert_int_equal(words.current, SECOND);
    hrli_line_release(&words, released_meanwhile);
    released_meanwhile = 0;
}

static void third(void)
{
    sut_note("third");
}

static void (*const bodies[])(void) = {first, second, third};

static bool in_order; /* by hrli_line_serve_in_order */

static void serve(uint32_t bits)
{
    sut_notes[0] = '\0';
    hrli_line_release(&words, bits);
    if (in_order) {
        hrli_line_serve_in_order(&words, bodies, 3);
    } else {
        hrli_line_serve(&words, bodies);
    }
    assert_int_equal(hrli_line_ready(&words), 0);
}

static void test_a_line_runs_ready_tasks_by_rank(void **state)
{
    in_order = *state != NULL;
    reset();
    words = (struct hrli_line_words){0};
    serve(hrli_line_bit(THIRD) | hrli_line_bit(FIRST));
    assert_string_equal(sut_notes, "first third ");
    serve(hrli_line_bit(THIRD) | hrli_line_bit(SECOND));
    assert_string_equal(sut_notes, "second third ");
    serve(hrli_line_bit(THIRD) | hrli_line_bit(SECOND) | hrli_line_bit(FIRST));
    assert_string_equal(sut_notes, "first second third ");
    serve(0);
    assert_string_equal(sut_notes, "");
}

static void test_a_line_looks_again_after_each_job(void **state)
{
    in_order = *state != NULL;
    reset();
    words = (struct hrli_line_words){.released = 5, .done = 5};
    released_meanwhile = hrli_line_bit(FIRST);
    serve(hrli_line_bit(THIRD) | hrli_line_bit(SECOND));
    assert_string_equal(sut_notes, "second first third ");
}

static void test_a_line_of_one_task_runs_it(void **state)
{
    (void)state;
    reset();
    hrli_line_serve_alone(note);
    assert_string_equal(sut_notes, "job ");
}

static uint32_t lowest_runs; /* how often the task of rank 31 has run */

static void lowest(void)
{
    assert_int_equal(words.current, 31);
    if (lowest_runs++ == 0) {
        hrli_line_release(&words, hrli_line_bit(FIRST));
    }
}

static void test_the_rank_behind_the_last_is_the_first(void **state)
{
    static void (*const many[32])(void) = {first, [31] = lowest};

    (void)state;
    reset();
    words = (struct hrli_line_words){0};
    sut_notes[0] = '\0';
    hrli_line_release(&words, hrli_line_bit(31));
    hrli_line_serve_in_order(&words, many, 32);
    assert_int_equal(hrli_line_ready(&words), 0);
    assert_int_equal(lowest_runs, 1);
    assert_string_equal(sut_notes, "first ");
}

static void only(void)
{
    sut_note("only");
    assert_int_equal(hrli_line_ready(&words),
                     hrli_line_bit(FIRST)); /* so that releases are overruns */
}

static void test_a_line_of_one_task_with_words_runs_it_once_a_release(void **state)
{
    static void (*const one[])(void) = {only};

    (void)state;
    reset();
    words = (struct hrli_line_words){0};
    sut_notes[0] = '\0';
    hrli_line_serve_in_order(&words, one, 1); /* raised by a release that was an overrun */
    for (unsigned i = 0; i < 2; i++) {
        hrli_line_release(&words, hrli_line_bit(FIRST));
        hrli_line_serve_in_order(&words, one, 1);
        assert_int_equal(hrli_line_ready(&words), 0);
    }
    assert_string_equal(sut_notes, "only only ");
}

static void build(void)
{
    reset();
    lut_add((struct lut_task){.level = 2, .body = note});
    lut_add((struct lut_task){.level = 2, .limit = 2, .may_end = true, .body = note});
    lut_add((struct lut_task){.level = 1, .alone = true, .body = note});
    lut_build();
}

static void test_a_line_in_general(void **state)
{
    const struct hrl_line *line;

    (void)state;
    build();
    line = lut_line_of(FIRST);
    assert_false(hrli_line_run_one(line));
    (void)hrlp_irq_lock();
    assert_int_equal(hrli_line_activate(lut_task(SECOND)), 1u << line->number);
    assert_false(hrli_line_is_full(lut_task(SECOND)));
    assert_int_equal(hrli_line_activate(lut_task(SECOND)), 0);
    assert_true(hrli_line_is_full(lut_task(SECOND)));
    assert_false(hrli_line_is_full(lut_task(FIRST)));
    assert_int_equal(hrli_line_activate(lut_task(FIRST)), 1u << line->number);
    assert_true(hrli_line_is_full(lut_task(FIRST)));
    hrlp_irq_unlock(HRLP_IRQ_UNLOCKED);
    assert_true(hrli_line_run_one(line));
    assert_int_equal(hrli_line_ready(line->words), hrli_line_bit(SECOND));
    assert_true(hrli_line_run_one(line));
    assert_int_equal(hrli_line_ready(line->words), hrli_line_bit(SECOND)); /* once more */
    assert_int_equal(line->words->current, SECOND);
    hrli_line_run(line);
    assert_int_equal(hrli_line_ready(line->words), 0);
    assert_string_equal(sut_notes, "job job job ");
}

/* A line with catch-up tasks, served without a controller; its task may wait. */

static struct hrli_line_words late_words;
static volatile uint32_t late_counts[2][2];
static void urgent(void);
static void patient(void);
extern const struct hrl_line late_line;
enum { URGENT_RANK = 2, PATIENT_RANK };
static const struct hrl_basic late_task[] = {
    {urgent, &late_line, late_counts[0], "urgent", 1, URGENT_RANK, false},
    {patient, &late_line, late_counts[1], "patient", 9, PATIENT_RANK, false}};
static const struct hrl_basic *const late_tasks[] = {NULL, NULL, &late_task[0], &late_task[1]};
const struct hrl_line late_line = {late_tasks, &late_words, NULL, 4, 1, 9, false};
static unsigned meanwhile[4]; /* how often patient is released in its jobs */
static unsigned patient_jobs;
static bool too_late; /* two releases come when the catch-up task has looked for the last time */

static void release(const struct hrl_basic *task)
{
    (void)hrlp_irq_lock();
    assert_false(hrli_line_is_full(task));
    (void)hrli_line_activate(task);
    hrlp_irq_unlock(HRLP_IRQ_UNLOCKED);
}

static void catch_up(void)
{
    sut_note(late_words.current == 0 ? "late" : "other");
    hrli_line_catch_up(&late_line);
    if (too_late) {
        too_late = false;
        release(&late_task[1]);
        release(&late_task[1]);
    }
}

static void urgent(void)
{
    sut_note("urgent");
    assert_int_equal(late_words.current, URGENT_RANK);
}

static void patient(void)
{
    sut_note("patient");
    assert_int_equal(late_words.current, PATIENT_RANK);
    for (unsigned i = 0; i < meanwhile[patient_jobs]; i++) {
        release(&late_task[1]);
    }
    if (meanwhile[patient_jobs] != 0) {
        release(&late_task[0]);
    }
    patient_jobs++;
}

static const char *serve_late(unsigned releases)
{
    static void (*const late_bodies[])(void) = {catch_up, catch_up, urgent, patient};

    reset();
    sut_notes[0] = '\0';
    patient_jobs = 0;
    for (unsigned i = 0; i < releases; i++) {
        release(&late_task[1]);
    }
    hrli_line_serve(&late_words, late_bodies);
    assert_int_equal(hrli_line_ready(&late_words), 0);
    assert_int_equal(late_counts[1][HRLI_BASIC_WAITING], 0);
    return sut_notes;
}

static void test_waiting_jobs_come_by_rank_and_cost_nothing_while_there_are_none(void **state)
{
    (void)state;
    memset(meanwhile, 0, sizeof meanwhile);
    assert_string_equal(serve_late(1), "patient ");
    assert_string_equal(serve_late(3), "late patient patient patient other ");
    meanwhile[0] = 1; /* the job is running that is to be done once more */
    assert_string_equal(serve_late(1), "patient late urgent patient ");
    meanwhile[0] = 0;
    meanwhile[1] = 2; /* the catch-up task is running */
    assert_string_equal(serve_late(2), "late patient patient urgent patient patient other ");
    meanwhile[1] = 0;
}

static void test_a_request_to_a_task_about_to_end_is_not_lost(void **state)
{
    (void)state;
    memset(meanwhile, 0, sizeof meanwhile);
    too_late = true;
    assert_string_equal(serve_late(2), "late patient patient other patient patient ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_line_runs_ready_tasks_by_rank),
        cmocka_unit_test_prestate(test_a_line_runs_ready_tasks_by_rank, &in_order),
        cmocka_unit_test(test_a_line_looks_again_after_each_job),
        cmocka_unit_test_prestate(test_a_line_looks_again_after_each_job, &in_order),
        cmocka_unit_test(test_the_rank_behind_the_last_is_the_first),
        cmocka_unit_test(test_a_line_of_one_task_with_words_runs_it_once_a_release),
        cmocka_unit_test(test_a_line_of_one_task_runs_it),
        cmocka_unit_test(test_a_line_in_general),
        cmocka_unit_test(test_waiting_jobs_come_by_rank_and_cost_nothing_while_there_are_none),
        cmocka_unit_test(test_a_request_to_a_task_about_to_end_is_not_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
