/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "line_group.h"
#include "with_cmocka.h"

/* Instants of a group; that its tasks are released is in the tests of its stores. */
static hrl_stamp served;

static void serve(struct hrli_line_group *group, const struct hrli_line_groups_kind *kind)
{
    group->node.key = hrli_line_group_serve(group, &served, kind);
}

static void test_fractions_accumulate(void **state)
{
    static const struct hrli_line_groups_kind kind = {.has_fractions = true};
    struct hrli_line_group group = {.node = {.key = 7},
                                    .period = {.counts = 33, .numerator = 1, .denominator = 3}};

    (void)state;
    for (unsigned i = 0; i < 3000; i++) {
        serve(&group, &kind);
        assert_int_equal(served + 33 + (i % 3 == 2), group.node.key);
    }
    assert_int_equal(group.node.key, 7 + 1000 * 100);
}

/* Two and a half hops: every release is followed by services at two hops that release nothing. */
static void test_long_periods_are_stepped_in_hops(void **state)
{
    static const struct hrli_line_groups_kind kind = {.has_hops = true};
    const uint32_t hop = HRLI_PERIOD_HOP_COUNTS;
    struct hrli_line_group group = {.node = {.key = 5}, .period = {.counts = hop / 2, .hops = 2}};

    (void)state;
    for (unsigned i = 0; i < 10; i++) {
        hrl_stamp from = group.node.key;

        assert_int_equal(group.left, 0);
        serve(&group, &kind);
        assert_int_equal(group.node.key, (hrl_stamp)(from + hop));
        serve(&group, &kind);
        assert_int_equal(group.node.key, (hrl_stamp)(from + 2 * hop));
        serve(&group, &kind);
        assert_int_equal(group.node.key, (hrl_stamp)(from + 2 * hop + hop / 2));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fractions_accumulate),
        cmocka_unit_test(test_long_periods_are_stepped_in_hops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
