/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "limited.h"
#include "line_words.h"
#include "lines_under_test.h"
#include "with_cmocka.h"

/* Three tasks of two lines, the first of them with bells, as they are generated. */

volatile uint32_t hrl_gen_alive;

enum { FEW, MANY, OTHER, RANK = 2 };

static void nothing(void) {}

static struct hrli_line_ends words;
static const struct hrl_line lines[2];
static volatile uint32_t counts[3][2];
static const struct hrl_basic tasks[] = {
    {nothing, &lines[0], counts[FEW], "few", 2, RANK, false},
    {nothing, &lines[0], counts[MANY], "many", 2, RANK + 1, false},
    {nothing, &lines[1], counts[OTHER], "other", 1, 0, false},
};
static const struct hrl_basic *const of_first[] = {NULL, NULL, &tasks[FEW], &tasks[MANY]};
static const struct hrl_basic *const of_second[] = {&tasks[OTHER]};
static const struct hrl_line lines[2] = {{of_first, &words.words, NULL, 4, 2, 5, false},
                                         {of_second, NULL, NULL, 1, 1, 6, false}};
static unsigned jobs;

static void body(void)
{
    jobs++;
}

static void reset(void)
{
    lut_reset();
    words = (struct hrli_line_ends){{0}, 0};
    hrl_gen_alive = UINT32_MAX;
    jobs = 0;
}

static void test_a_task_ends_as_its_last_job_begins(void **state)
{
    uint32_t left = 2;

    (void)state;
    reset();
    hrli_limited_run(&left, &tasks[FEW], true, body);
    assert_int_equal(words.ended, 0);
    hrli_limited_run(&left, &tasks[FEW], true, body);
    assert_int_equal(words.ended, 0x20000000);
    hrli_limited_run(&left, &tasks[FEW], true, body); /* one that had been released */
    assert_int_equal(jobs, 2);
    assert_int_equal(hrl_gen_alive, UINT32_MAX);
}

static void test_a_line_is_raised_no_more_when_all_have_ended(void **state)
{
    (void)state;
    reset();
    hrli_limited_end(&tasks[MANY]);
    assert_int_equal(hrl_gen_alive, UINT32_MAX);
    hrli_limited_end(&tasks[FEW]);
    assert_int_equal(words.ended, 0x30000000);
    assert_int_equal(hrl_gen_alive, ~(1u << 5));
    hrli_limited_end(&tasks[OTHER]);
    assert_int_equal(hrl_gen_alive, ~(3u << 5));
}

static void test_a_cell_that_is_its_task_only_counts(void **state)
{
    uint32_t left = 1;

    (void)state;
    reset();
    hrli_limited_run(&left, &tasks[OTHER], false, body);
    hrli_limited_run(&left, &tasks[OTHER], false, body);
    assert_int_equal(jobs, 1);
    assert_int_equal(hrl_gen_alive, UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests_of[] = {
        cmocka_unit_test(test_a_task_ends_as_its_last_job_begins),
        cmocka_unit_test(test_a_line_is_raised_no_more_when_all_have_ended),
        cmocka_unit_test(test_a_cell_that_is_its_task_only_counts),
    };
    return cmocka_run_group_tests(tests_of, NULL, NULL);
}
