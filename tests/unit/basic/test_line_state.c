/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "line.h"
#include "line_state.h"
#include "lines_under_test.h"
#include "with_cmocka.h"

enum { LIMIT = 3, RANK = 2 };

static struct hrli_line_words words;
static volatile uint32_t counts[2];

/* A task of this limit on a line with words, ready; with `catch_up` the line has catch-up tasks. */
static const struct hrl_basic *ready_task(uint32_t limit, bool catch_up)
{
    static struct hrl_basic task;
    static const struct hrl_basic *tasks[RANK + 1];
    static struct hrl_line line;

    tasks[0] = catch_up ? NULL : &task; /* a line without them has any task there */
    tasks[RANK] = &task;
    line = (struct hrl_line){.tasks = tasks, .words = &words, .count = RANK + 1};
    task = (struct hrl_basic){.line = &line, .counts = counts, .limit = limit, .rank = RANK};
    counts[HRLI_BASIC_WAITING] = 0;
    words = (struct hrli_line_words){0};
    assert_false(hrli_line_is_full(&task));
    hrli_line_release(&words, hrli_line_bit(RANK));
    return &task;
}

static void test_a_task_of_limit_1_is_full_while_it_is_ready(void **state)
{
    (void)state;
    assert_true(hrli_line_is_full(ready_task(1, false)));
}

static void test_jobs_wait_up_to_the_limit(void **state)
{
    const struct hrl_basic *task = ready_task(LIMIT, false);

    (void)state;
    for (unsigned waiting = 1; waiting < LIMIT; waiting++) {
        assert_false(hrli_line_is_full(task));
        hrli_line_wait(task);
        assert_int_equal(counts[HRLI_BASIC_WAITING], waiting);
    }
    assert_true(hrli_line_is_full(task));
    assert_int_equal(hrli_line_ready(&words), hrli_line_bit(RANK)); /* nothing else is requested */
}

static void test_a_job_that_waits_requests_a_catch_up_task(void **state)
{
    const struct hrl_basic *task = ready_task(LIMIT, true);

    (void)state;
    hrli_line_wait(task);
    assert_int_equal(hrli_line_ready(&words), hrli_line_bit(0) | hrli_line_bit(RANK));
    hrli_line_wait(task);
    assert_int_equal(hrli_line_ready(&words) & HRLI_LINE_CATCH_UP, HRLI_LINE_CATCH_UP);
}

static void test_a_line_of_one_task_is_full_while_it_is_pending(void **state)
{
    const struct hrl_basic *task;

    (void)state;
    lut_reset();
    hrlp_irq_unlock(HRLP_IRQ_UNLOCKED); /* as in a handler */
    lut_add((struct lut_task){.level = 2, .body = lut_note_name});
    lut_add((struct lut_task){.level = 1, .alone = true, .body = lut_note_name});
    lut_build();
    task = lut_task(1);
    (void)hrlp_irq_lock();
    assert_false(hrli_line_is_full(task));
    assert_int_equal(hrli_line_activate(task), 1u << task->line->number);
    if (HRLP_LINE_CONTROLLER) {
        hrlp_line_raise(1u << task->line->number);
    }
    assert_true(hrli_line_is_full(task));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_task_of_limit_1_is_full_while_it_is_ready),
        cmocka_unit_test(test_jobs_wait_up_to_the_limit),
        cmocka_unit_test(test_a_job_that_waits_requests_a_catch_up_task),
        cmocka_unit_test(test_a_line_of_one_task_is_full_while_it_is_pending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
