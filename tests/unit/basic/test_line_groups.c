/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "groups_under_test.h"
#include "line_groups.h"

static struct hrli_line_groups_kind kind;
static hrl_stamp due, next;
static const struct hrli_line_groups store = {gut_groups, GROUPS, &due};

static void serve(void)
{
    next = hrli_line_groups_interrupt(&store, &gut_served, &kind);
    assert_int_equal(next, due);
}

static void build(bool is_shared)
{
    gut_build(serve);
    kind = gut_kind(is_shared);
    due = HRLI_LINE_TABLE_DUE(SUT_START_COUNTS + PERIOD);
}

static void test_groups_are_released_at_their_instants(void **state)
{
    (void)state;
    gut_check(build);
}

/* An interrupt for which no group is due changes nothing; then the first of all is next. */
static void test_the_next_instant_is_the_first_of_all(void **state)
{
    (void)state;
    build(false);
    gut_groups[HIGH].node.key += 5 * PERIOD;  /* 6000 */
    gut_groups[FIRST].node.key += 3 * PERIOD; /* 4000 */
    due = HRLI_LINE_TABLE_DUE(SUT_START_COUNTS + 2 * PERIOD);
    assert_string_equal(sut_run(3500), "done");
    assert_int_equal(next, HRLI_LINE_TABLE_DUE(SUT_START_COUNTS + 4000));
    assert_string_equal(sut_notes, "second@2000 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups_are_released_at_their_instants),
        cmocka_unit_test(test_the_next_instant_is_the_first_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
