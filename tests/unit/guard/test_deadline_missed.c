/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "deadline_missed.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/hooks.h>

/* In a system that asks for no misses, and has no hook. */
static const struct hrl_basic task;
const struct hrl_basic *const hrl_gen_deadline_tasks[1] = {&task};

static void miss(void)
{
    hrli_deadline_missed(0);
}

static void test_without_a_hook_a_missed_deadline_stops_the_program(void **state)
{
    (void)state;
    sut_reset();
    sut_call_to_assertion(miss, "a missed deadline, and no hrl_basic_deadline_hook");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_hook_a_missed_deadline_stops_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
