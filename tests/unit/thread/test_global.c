/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "global.h"
#include "with_cmocka.h"

/* What a build without such threads has of them; conform/cores/global.c tests the others. */

static void test_without_such_threads_none_is_one(void **state)
{
    const struct hrl_thread thread = {.name = "thread"};

    (void)state;
    assert_int_equal(HRL_GLOBAL_THREADS, 0);
    assert_false(hrli_is_global(&thread));
    assert_false(hrli_global_is_on(&thread));
    assert_false(hrli_global_is_offered(&thread));
    assert_false(hrli_core_runs_below(0));
    hrli_global_start();
    hrli_global_leaves(hrli_core.running);
    HRLI_CHECK_OF_ONE_CORE("a call", &thread);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_such_threads_none_is_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
