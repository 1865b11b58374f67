/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "direct.h"
#include "hrlp_host.h"
#include "hrlp_irq.h"
#include "line_table.h"
#include "lines_under_test.h"
#include "with_cmocka.h"
#include <stdio.h>
#include <string.h>

/* Cells that are the dispatch of their tasks, on the machine's controller. */
#define AHEAD (1u << 12)
enum { PERIOD = 1000, FIRST = SUT_START_COUNTS + PERIOD, CELL_LEVEL = 4 };

static void (*interrupt)(void);

static void start(void *argument)
{
    hrlp_irq_state state = hrlp_irq_lock();

    (void)argument;
    sut_cell_handler = interrupt;
    hrlp_host_prepare_at(0, CELL_LEVEL);
    hrlp_host_start_periodic(0, FIRST, PERIOD);
    hrlp_irq_unlock(state);
}

static void note_time(const char *name)
{
    char text[32];

    (void)snprintf(text, sizeof text, "%s@%u", name, (unsigned)(hrlp_host_now() - sut_zero()));
    sut_note(text);
}

/* One task: how long its jobs take, in turn; then nothing. */
static hrl_counts costs[8];
static unsigned jobs;
static hrl_stamp due;
static struct hrl_basic only;
static uint32_t only_counts[2];
static unsigned forgotten;

static void forget(void)
{
    forgotten++;
    hrlp_host_forget(0);
}

static void body(void)
{
    hrl_counts cost = jobs < 8 ? costs[jobs] : 0;

    jobs++;
    note_time("job");
    hrlp_host_consume(cost);
}

static const struct hrli_direct direct = {&due, PERIOD, &only, forget};

static void interrupt_one(void)
{
    hrli_direct_interrupt(&direct, body);
}

/* Time stands still in the kernel, except for a loop that waits for it. */
static hrl_counts pass_if_asked_often(void)
{
    static hrl_counts last;
    static unsigned calls;

    calls = last == hrlp_host_now() ? calls + 1 : 0;
    last = hrlp_host_now();
    return calls > 100;
}

static void run_one(hrl_counts duration, uint16_t limit)
{
    static struct hrl_line line = {.is_cell = true};

    lut_reset();
    only = (struct hrl_basic){body, &line, only_counts, "only", limit, 0, false};
    memset(only_counts, 0, sizeof only_counts);
    jobs = forgotten = 0;
    interrupt = interrupt_one;
    hrlp_host_setup.port_call_counts = pass_if_asked_often;
    due = HRLI_LINE_TABLE_DUE(FIRST);
    sut_start("starter", 1, start, NULL);
    assert_string_equal(sut_run(duration), "done");
}

static void test_the_interrupt_is_the_task(void **state)
{
    (void)state;
    memset(costs, 0, sizeof costs);
    costs[1] = PERIOD - 10;
    run_one(4500, 1);
    assert_string_equal(sut_notes, "job@1000 job@2000 job@3000 job@4000 ");
    assert_int_equal(only_counts[0], 0);
    assert_int_equal(forgotten, 0);
}

static void test_a_release_that_comes_too_early_is_dropped(void **state)
{
    (void)state;
    memset(costs, 0, sizeof costs);
    costs[0] = 2500;
    run_one(5500, 1);
    assert_string_equal(sut_notes, "job@1000 job@4000 job@5000 ");
    assert_int_equal(only_counts[0], 2);
}

/* What ends a count before the next release is in time; in the same count, late. */
static void test_where_late_begins(void **state)
{
    (void)state;
    memset(costs, 0, sizeof costs);
    costs[0] = PERIOD - HRLP_CELL_EARLY_COUNTS - 1;
    run_one(2500, 1);
    assert_string_equal(sut_notes, "job@1000 job@2000 ");
    costs[0] = PERIOD;
    run_one(3500, 1);
    assert_string_equal(sut_notes, "job@1000 job@3000 ");
}

/* More than half of what a stamp tells. */
static void test_a_job_of_a_minute_and_a_half(void **state)
{
    static const hrl_counts half = (hrl_counts)1 << 31;

    (void)state;
    memset(costs, 0, sizeof costs);
    costs[0] = half + 2852; /* 2,147,486 periods and 500 counts; to count them takes some, too */
    run_one(half + 5500, 1);
    assert_in_range(only_counts[0], 2147486, 2147486 + 100);
    assert_in_range(due - (hrl_stamp)hrlp_host_now(), 1, PERIOD);
}

static void test_with_a_limit_jobs_start_late(void **state)
{
    (void)state;
    memset(costs, 0, sizeof costs);
    costs[0] = 3500; /* 2000, 3000 and 4000 pass: two of them may wait */
    costs[1] = 100;
    run_one(5500, 3);
    assert_string_equal(sut_notes, "job@1000 job@4500 job@4600 job@5000 ");
    assert_int_equal(only_counts[0], 3);
    costs[1] = 700; /* and 5000 */
    run_one(5500, 3);
    assert_string_equal(sut_notes, "job@1000 job@4500 job@5200 job@5200 ");
    assert_int_equal(only_counts[0], 4);
}

/* Several tasks: the rows release bits of the cell's own line. */
enum { A, B, C };

static struct hrli_direct_table table;
static const struct hrli_direct_row rows[] = {
    {PERIOD, 0xE0000000u}, {PERIOD, 0x80000000u}, {2 * PERIOD, 0x40000000u}, {0, 0}};
static hrl_counts cost_of_a;

static void a(void)
{
    note_time("a");
    hrlp_host_consume(cost_of_a);
    cost_of_a = 0;
}

static void b(void)
{
    note_time("b");
}

static void c(void)
{
    note_time("c");
}

static void (*const bodies[])(void) = {a, b, c};

static void interrupt_table(void)
{
    hrli_direct_table_interrupt(&table, &rows[1], bodies, false, AHEAD);
}

static void interrupt_shared(void)
{
    hrli_direct_table_interrupt(&table, &rows[1], bodies, true, AHEAD);
}

static void (*other)(void *argument);

static void run_table(hrl_counts cost, hrl_counts duration)
{
    struct hrl_line *line;

    lut_reset();
    lut_add((struct lut_task){.level = CELL_LEVEL, .body = a});
    lut_add((struct lut_task){.level = CELL_LEVEL, .body = b});
    lut_add((struct lut_task){.level = CELL_LEVEL, .body = c});
    lut_build();
    line = (struct hrl_line *)lut_line_of(A); /* the support's, in RAM */
    line->number = 0;                         /* of the cell */
    line->words = &table.words;
    table = (struct hrli_direct_table){rows, HRLI_LINE_TABLE_DUE(FIRST), {0}};
    cost_of_a = cost;
    sut_start("starter", 2, start, NULL);
    if (other != NULL) {
        sut_start("other", 1, other, NULL);
    }
    assert_string_equal(sut_run(duration), "done");
}

static void test_rows_release_the_cells_own_tasks(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        interrupt = i == 0 ? interrupt_table : interrupt_shared;
        run_table(0, 6500);
        assert_string_equal(sut_notes, "a@1000 b@1000 c@1000 a@2000 b@3000 a@5000 b@6000 ");
    }
}

static void
test_a_row_that_passes_meanwhile_is_an_overrun_of_tasks_that_have_not_ended(void **state)
{
    (void)state;
    interrupt = interrupt_table;
    run_table(2500, 5500); /* a from 1000 to 3500: its release of 2000, and that of b of 3000 */
    assert_string_equal(sut_notes, "a@1000 b@3500 c@3500 a@5000 ");
    assert_int_equal(hrl_basic_overruns(lut_task(A)), 1);
    assert_int_equal(hrl_basic_overruns(lut_task(B)), 1);
    assert_int_equal(hrl_basic_overruns(lut_task(C)), 0);
}

static void test_rows_behind_a_job_of_a_minute_and_a_half(void **state)
{
    static const hrl_counts half = (hrl_counts)1 << 31;

    (void)state;
    interrupt = interrupt_table;
    run_table(half, half + 9000);
    assert_in_range(hrl_basic_overruns(lut_task(A)), half / 3000, half / 3000 + 1);
    assert_in_range(table.due - (hrl_stamp)hrlp_host_now(), 1, 2000);
}

static void activate_c(void *argument)
{
    (void)argument;
    hrlp_host_consume(SUT_START_COUNTS + 1500 - (hrl_counts)hrlp_host_now());
    assert_int_equal(hrl_basic_activate(lut_task(C)), HRL_OK);
    sut_note("|");
}

static void test_others_activate_its_tasks_through_its_line(void **state)
{
    (void)state;
    interrupt = interrupt_shared;
    other = activate_c;
    run_table(0, 2500);
    other = NULL;
    assert_string_equal(sut_notes, "a@1000 b@1000 c@1000 c@1500 | a@2000 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_interrupt_is_the_task),
        cmocka_unit_test(test_a_release_that_comes_too_early_is_dropped),
        cmocka_unit_test(test_where_late_begins),
        cmocka_unit_test(test_a_job_of_a_minute_and_a_half),
        cmocka_unit_test(test_rows_behind_a_job_of_a_minute_and_a_half),
        cmocka_unit_test(test_with_a_limit_jobs_start_late),
        cmocka_unit_test(test_rows_release_the_cells_own_tasks),
        cmocka_unit_test(
            test_a_row_that_passes_meanwhile_is_an_overrun_of_tasks_that_have_not_ended),
        cmocka_unit_test(test_others_activate_its_tasks_through_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
