/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "short_ways.h"
#include "with_cmocka.h"

/* A table of which 16 bits are kept: two rows, 100 and 300 counts to the next. */
enum { AHEAD = 300 };

static const struct hrli_line_row rows[];
static const struct hrli_line_part parts[] = {
    {NULL, {1u << 2}}, {NULL, {1u << 5}}, {NULL, {.next = rows}}};
static const struct hrli_line_row rows[] = {{100, &parts[0]}, {300, &parts[1]}, {0, &parts[2]}};
static struct hrli_line_table table;
static unsigned near, far;

static void interrupt(uint16_t now)
{
    short_ways_now = now;
    raised = open = 0;
    hrli_short_table_interrupt(&table, 1u << 2 | 1u << 5, AHEAD);
}

static void begins(hrl_stamp first)
{
    table = (struct hrli_line_table){rows, first};
    open = overruns = 0;
}

static void tables_with_near_rows_are_short(void **state)
{
    (void)state;
    assert_true(hrli_short_table(HRLI_SHORT_AHEAD));
    assert_false(hrli_short_table(HRLI_SHORT_AHEAD + 1u));
}

static void each_row_comes_at_its_instant_through_the_wrap(void **state)
{
    (void)state;
    begins(0xFFFFFFF0u);
    interrupt(0xFFEF);
    assert_int_equal(raised, 0);
    interrupt(0xFFF0);
    assert_int_equal(raised, 1u << 2);
    interrupt((uint16_t)(0xFFF0 + 99));
    assert_int_equal(raised, 0);
    interrupt((uint16_t)(0xFFF0 + 100));
    assert_int_equal(raised, 1u << 5);
    interrupt((uint16_t)(0xFFF0 + 400));
    assert_int_equal(raised, 1u << 2);
}

static void one_that_is_late_serves_all_rows(void **state)
{
    (void)state;
    begins(50);
    interrupt(50 + 500);
    assert_int_equal(raised, 1u << 2 | 1u << 5);
    assert_int_equal(overruns, 2);
    interrupt(50 + 799);
    assert_int_equal(raised, 0);
}

static void arm_near(uint16_t now, uint16_t left)
{
    near = (unsigned)now + left;
}

static void arm(hrl_stamp due)
{
    far = due;
}

static void a_cell_is_armed_for_the_next_row(void **state)
{
    (void)state;
    begins(1000);
    short_ways_now = 990;
    hrli_short_table_arm(&table, arm_near, arm);
    assert_int_equal(near, 1000 + HRLP_CELL_EARLY_COUNTS);
    short_ways_now = 1000 + HRLP_CELL_EARLY_COUNTS;
    hrli_short_table_arm(&table, arm_near, arm);
    assert_true(far == hrlp_clock_read());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_with_near_rows_are_short),
        cmocka_unit_test(each_row_comes_at_its_instant_through_the_wrap),
        cmocka_unit_test(one_that_is_late_serves_all_rows),
        cmocka_unit_test(a_cell_is_armed_for_the_next_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
