/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "limited.h"
#include "line_words.h"
#include "lines_under_test.h"
#include "with_cmocka.h"
#include <stddef.h>

/* Two tasks of a line and one of another, released by one cell, as they are generated. */

enum { FEW, MANY, OTHER, TASKS, SOME = 1 << 5, REST = 1 << 6 };

static struct hrli_line_ends some_words, rest_words;
static volatile uint32_t alive;
static unsigned stops;
static unsigned jobs;

static void stop(void)
{
    stops++;
}

static const struct hrli_limited limits[TASKS] = {
    {&some_words, 0x20000000, 0x30000000, SOME, &alive, stop},
    {&some_words, 0x10000000, 0x30000000, SOME, &alive, stop},
    {&rest_words, 0x80000000, 0x80000000, REST, &alive, stop},
};

static void body(void)
{
    jobs++;
}

static void reset(void)
{
    lut_reset();
    some_words = (struct hrli_line_ends){{0}, 0};
    rest_words = (struct hrli_line_ends){{0}, 0};
    alive = SOME | REST;
    stops = 0;
    jobs = 0;
}

static void end(unsigned task)
{
    uint32_t left = 1;

    hrli_limited_run(&left, &limits[task], body);
    assert_int_equal(left, 0);
}

static void test_a_task_ends_as_its_last_job_begins(void **state)
{
    uint32_t left = 2;

    (void)state;
    reset();
    hrli_limited_run(&left, &limits[FEW], body);
    assert_int_equal(some_words.ended, 0);
    hrli_limited_run(&left, &limits[FEW], body);
    assert_int_equal(some_words.ended, 0x20000000);
    hrli_limited_run(&left, &limits[FEW], body); /* one that had been released */
    assert_int_equal(jobs, 2);
    assert_int_equal(alive, SOME | REST);
}

static void test_a_line_is_raised_no_more_when_all_have_ended_and_then_the_cell_stops(void **state)
{
    (void)state;
    reset();
    some_words.ended = 0x08000000; /* another cell's */
    end(MANY);
    assert_int_equal(alive, SOME | REST);
    end(FEW);
    assert_int_equal(some_words.ended, 0x38000000);
    assert_int_equal(alive, REST);
    assert_int_equal(stops, 0);
    end(OTHER);
    assert_int_equal(alive, 0);
    assert_int_equal(stops, 1);
    assert_int_equal(jobs, TASKS);
}

static void test_a_task_that_says_nothing_only_counts(void **state)
{
    uint32_t left = 1;

    (void)state;
    reset();
    hrli_limited_run(&left, NULL, body);
    hrli_limited_run(&left, NULL, body);
    assert_int_equal(jobs, 1);
    assert_int_equal(alive, SOME | REST);
}

/* Rows: all; of some; of rest; of some; and again from the second. */
#define AHEAD (1u << 12)
static const struct hrli_line_row rows[];
static const struct hrli_line_part parts[] = {
    {NULL, {SOME | REST}},
    {&some_words.words, {0x30000000}},
    {&rest_words.words, {0x80000000}},
    {NULL, {SOME}},
    {&some_words.words, {0x10000000}},
    {NULL, {REST}},
    {&rest_words.words, {0x80000000}},
    {NULL, {.next = &rows[1]}},
};
static const struct hrli_line_row rows[] = {
    {1000, &parts[0]}, {1000, &parts[3]}, {1000, &parts[5]}, {1000, &parts[3]}, {0, &parts[7]}};
static struct hrli_line_table table;

static void serve(void)
{
    hrli_limited_table_serve(&table, 0, false, &alive, AHEAD);
}

/* The row `at` is due, and so it is served. */
static void interrupt_for(unsigned at)
{
    some_words.words.done = some_words.words.released;
    rest_words.words.done = rest_words.words.released;
    table = (struct hrli_line_table){&rows[at], (hrl_stamp)hrlp_clock_read()};
    hrli_limited_table_interrupt(&table, serve, AHEAD);
}

static void test_ended_tasks_are_passed_over_and_rows_without_tasks_ahead(void **state)
{
    (void)state;
    reset();
    interrupt_for(0);
    assert_int_equal(hrli_line_ready(&some_words.words), 0x30000000);
    assert_int_equal(hrli_line_ready(&rest_words.words), 0x80000000);
    assert_ptr_equal(table.row, &rows[1]);
    end(FEW);
    interrupt_for(0);
    assert_int_equal(hrli_line_ready(&some_words.words), 0x10000000);
    end(OTHER);
    interrupt_for(1);
    assert_ptr_equal(table.row, &rows[3]); /* not that of the rest */
    assert_int_equal(table.due, (hrl_stamp)hrlp_clock_read() + 2000);
    interrupt_for(3);
    assert_ptr_equal(table.row, &rows[1]);
    assert_int_equal(table.due, (hrl_stamp)hrlp_clock_read() + 1000);
}

static void test_a_row_is_served_when_it_is_due_and_not_before(void **state)
{
    (void)state;
    reset();
    table = (struct hrli_line_table){&rows[1], (hrl_stamp)hrlp_clock_read() + 1};
    hrli_limited_table_interrupt(&table, serve, AHEAD);
    assert_ptr_equal(table.row, &rows[1]);
    assert_int_equal(hrli_line_ready(&some_words.words), 0);
}

static void test_lost_interrupts_are_made_up_for(void **state)
{
    (void)state;
    reset();
    table = (struct hrli_line_table){&rows[1], (hrl_stamp)hrlp_clock_read() - 1500};
    hrli_limited_table_interrupt(&table, serve, AHEAD);
    assert_int_equal(hrli_line_ready(&some_words.words), 0x10000000);
    assert_int_equal(hrli_line_ready(&rest_words.words), 0x80000000);
    assert_ptr_equal(table.row, &rows[3]);
}

static void test_an_interrupt_behind_the_end_finds_no_task(void **state)
{
    (void)state;
    reset();
    end(FEW);
    end(MANY);
    end(OTHER);
    interrupt_for(0);
    assert_ptr_equal(table.row, &rows[0]);
    assert_int_equal(hrli_line_ready(&some_words.words), 0);
    assert_int_equal(hrli_line_ready(&rest_words.words), 0);
}

/* Rows of which no task is ready. */
static const struct hrli_line_row bare_rows[];
static const struct hrli_line_part bare_parts[] = {{NULL, {SOME}}, {NULL, {.next = bare_rows}}};
static const struct hrli_line_row bare_rows[] = {{1000, &bare_parts[0]}, {0, &bare_parts[1]}};

static void test_rows_that_are_late_by_more_than_half_of_all_stamps(void **state)
{
    (void)state;
    reset();
    table = (struct hrli_line_table){bare_rows, (hrl_stamp)hrlp_clock_read() - 3000000500u};
    hrli_limited_table_interrupt(&table, serve, AHEAD);
    assert_in_range(table.due - (hrl_stamp)hrlp_clock_read(), 1, 1000);
}

int main(void)
{
    const struct CMUnitTest tests_of[] = {
        cmocka_unit_test(test_a_task_ends_as_its_last_job_begins),
        cmocka_unit_test(test_a_line_is_raised_no_more_when_all_have_ended_and_then_the_cell_stops),
        cmocka_unit_test(test_a_task_that_says_nothing_only_counts),
        cmocka_unit_test(test_ended_tasks_are_passed_over_and_rows_without_tasks_ahead),
        cmocka_unit_test(test_a_row_is_served_when_it_is_due_and_not_before),
        cmocka_unit_test(test_lost_interrupts_are_made_up_for),
        cmocka_unit_test(test_rows_that_are_late_by_more_than_half_of_all_stamps),
        cmocka_unit_test(test_an_interrupt_behind_the_end_finds_no_task),
    };
    return cmocka_run_group_tests(tests_of, NULL, NULL);
}
