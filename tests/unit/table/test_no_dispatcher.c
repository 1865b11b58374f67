/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "with_cmocka.h"
#include <hrl/dispatcher.h>

/* A system without a dispatcher links one that refuses. */
static void test_there_is_none(void **state)
{
    (void)state;
    assert_int_equal(hrl_dispatcher_stop(), HRL_ID);
    assert_null(hrl_dispatcher_mode());
    assert_string_equal(hrl_dispatcher_mode_name(hrl_dispatcher_mode()), "none");
    assert_int_equal(hrl_dispatcher_state(), HRL_DISPATCHER_STOPPED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_there_is_none)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
