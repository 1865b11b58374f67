/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "short_ways.h"
#include "with_cmocka.h"

/* Rows 1 and 3 interrupts from the next, and a task every 2. */
static const struct hrli_line_row rows[];
static const struct hrli_line_part parts[] = {
    {NULL, {1u << 2}}, {NULL, {1u << 5}}, {NULL, {.next = rows}}};
static const struct hrli_line_row rows[] = {{1, &parts[0]}, {3, &parts[1]}, {0, &parts[2]}};

static void rows_come_by_their_interrupts(void **state)
{
    struct hrli_counted_table table = {rows, 0};
    static const uint32_t expected[] = {1u << 2, 1u << 5, 0, 0, 1u << 2, 1u << 5, 0};

    (void)state;
    open = 0;
    for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++) {
        raised = 0;
        if (table.left-- == 0) {
            hrli_counted_table_serve(&table, 0);
        }
        assert_int_equal(raised, expected[i]);
    }
}

static void rows_that_are_late_come_together(void **state)
{
    struct hrli_counted_table table = {rows, (uint16_t)-3};

    (void)state;
    open = raised = overruns = 0;
    hrli_counted_table_serve(&table, 1u << 2 | 1u << 5);
    assert_int_equal(raised, 1u << 2 | 1u << 5);
    assert_int_equal(table.left, 1);
    assert_int_equal(overruns, 0);
}

static unsigned jobs;

static void job(void)
{
    jobs++;
}

static void a_task_runs_or_overruns(void **state)
{
    struct hrli_counted_task task = {(uint16_t)-1};

    (void)state;
    open = raised = overruns = 0;
    hrli_counted_task_serve(&task, 2, 4, job);
    assert_int_equal(jobs, 1);
    assert_int_equal(task.left, 1);
    open = 1u << 4;
    hrli_counted_task_serve(&task, 2, 4, job);
    assert_int_equal(jobs, 1);
    assert_int_equal(overruns, 1);
    assert_int_equal(raised, 0);
}

static void a_late_one_waits_until_all_instants_are_counted(void **state)
{
    struct hrli_counted_task task = {(uint16_t)-3};

    (void)state;
    open = raised = overruns = jobs = 0;
    while ((int16_t)task.left < 0) {
        hrli_counted_task_raise(&task, 2, 4);
    }
    assert_int_equal(jobs, 0);
    assert_int_equal(raised, 1u << 4);
    assert_int_equal(overruns, 1);
    assert_int_equal(task.left, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_by_their_interrupts),
        cmocka_unit_test(rows_that_are_late_come_together),
        cmocka_unit_test(a_task_runs_or_overruns),
        cmocka_unit_test(a_late_one_waits_until_all_instants_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
