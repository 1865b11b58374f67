/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "groups_under_test.h"
#include "line_chains.h"

/* High and first are a chain; second is one. */
static struct hrli_line_level levels[GROUPS];
static const struct hrli_line_chain chains[] = {{&levels[HIGH], 2}, {&levels[SECOND], 1}};
static struct hrli_line_groups_kind kind;
static hrl_stamp due;
static const struct hrli_line_chains store = {chains, 2, PERIOD, &due};

static void serve(void)
{
    hrli_line_chains_interrupt(&store, &gut_served, &kind);
}

static void build(bool is_shared)
{
    static const uint32_t every[GROUPS] = {1, 2, 3}, left[GROUPS] = {1, 1, 2};

    gut_build(serve);
    kind = gut_kind(is_shared);
    due = HRLI_LINE_TABLE_DUE(SUT_START_COUNTS + PERIOD);
    for (unsigned i = 0; i < GROUPS; i++) {
        levels[i] =
            (struct hrli_line_level){every[i], left[i], gut_groups[i].raise, gut_groups[i].parts};
    }
}

static void test_levels_are_released_at_their_instants(void **state)
{
    (void)state;
    gut_check(build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_are_released_at_their_instants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
