/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "lines_under_test.h"
#include "tables_under_test.h"

/* Points that activate basic tasks: all of one value are ready before any of them runs. */
static void note_low(void)
{
    sut_note("low");
}

static void note_high(void)
{
    sut_note("high");
}

static struct hrl_table_action activates[2];
static const struct hrl_expiry_point at_three[] = {HRL_EXPIRY_POINT(3, activates)};
HRL_SCHEDULE_TABLE_DEFINE(table, &tut_counter, 20, HRL_REPEATING, at_three);

static void count_to_three(void *argument)
{
    (void)argument;
    tut_count(2);
    sut_note("counts");
    tut_count(1);
    sut_note("counted");
}

static void test_the_more_urgent_one_is_first(void **state)
{
    (void)state;
    tut_reset(0);
    lut_reset();
    lut_add((struct lut_task){.name = "low", .level = 3, .body = note_low});
    lut_add((struct lut_task){.name = "high", .level = 5, .body = note_high});
    lut_build();
    activates[0] = (struct hrl_table_action)HRL_TABLE_ACTIVATE(lut_task(0));
    activates[1] = (struct hrl_table_action)HRL_TABLE_ACTIVATE(lut_task(1));
    (void)hrl_schedule_table_start_absolute(&table, 0);
    sut_start("thread", 3, count_to_three, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "counts high low counted ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_more_urgent_one_is_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
