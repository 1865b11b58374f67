/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "line.h"
#include "lines_under_test.h"
#include "with_cmocka.h"

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

static void serve(uint32_t bits)
{
    sut_notes[0] = '\0';
    hrli_line_release(&words, bits);
    hrli_line_serve(&words, bodies);
    assert_int_equal(hrli_line_ready(&words), 0);
}

static void test_a_line_runs_who_is_ready_by_rank(void **state)
{
    (void)state;
    reset();
    words = (struct hrli_line_words){0};
    serve(hrli_line_bit(THIRD) | hrli_line_bit(FIRST));
    assert_string_equal(sut_notes, "first third ");
    serve(hrli_line_bit(THIRD) | hrli_line_bit(SECOND));
    assert_string_equal(sut_notes, "second third ");
    serve(0);
    assert_string_equal(sut_notes, "");
}

static void test_a_line_looks_again_after_each_job(void **state)
{
    (void)state;
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

static void build(void)
{
    reset();
    lut_add((struct lut_task){.level = 2, .body = note});
    lut_add((struct lut_task){.level = 2, .limit = 2, .body = note});
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

static void test_a_line_of_one_task_is_full_while_it_is_pending(void **state)
{
    const struct hrl_basic *task;

    (void)state;
    build();
    task = lut_task(THIRD);
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
        cmocka_unit_test(test_a_line_runs_who_is_ready_by_rank),
        cmocka_unit_test(test_a_line_looks_again_after_each_job),
        cmocka_unit_test(test_a_line_of_one_task_runs_it),
        cmocka_unit_test(test_a_line_in_general),
        cmocka_unit_test(test_a_line_of_one_task_is_full_while_it_is_pending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
