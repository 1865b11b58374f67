/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "descriptors.h"
#include "lines_under_test.h"
#include "with_cmocka.h"

/* What the kernel reads of tasks and lines is what they were defined with. */

enum { HIGH, LOW, NEXT };

static void build(void)
{
    lut_reset();
    lut_add((struct lut_task){.name = "high", .level = 5});
    lut_add((struct lut_task){.name = "low", .level = 2});
    lut_add((struct lut_task){.name = "next", .level = 2});
    lut_build();
}

static void test_a_task_is_on_its_line_by_its_rank(void **state)
{
    (void)state;
    build();
    for (unsigned at = HIGH; at <= NEXT; at++) {
        const struct hrl_basic *task = lut_task(at);

        assert_ptr_equal(hrli_line_of(task), lut_line_of(at));
        assert_ptr_equal(hrli_line_task(hrli_line_of(task), task->rank), task);
    }
}

static void test_the_most_urgent_line_is_the_first(void **state)
{
    (void)state;
    build();
    assert_ptr_equal(hrli_lines(), &hrl_gen_lines);
    assert_int_equal(hrli_line_count(), 2);
    assert_ptr_equal(hrli_line_at(0), lut_line_of(HIGH));
    assert_ptr_equal(hrli_line_at(1), lut_line_of(LOW));
    assert_ptr_equal(hrli_line_list()[1], lut_line_of(NEXT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_task_is_on_its_line_by_its_rank),
        cmocka_unit_test(test_the_most_urgent_line_is_the_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
