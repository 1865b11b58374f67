/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "handler.h"
#include "with_cmocka.h"

static unsigned served;

#define SERVE served++;
HRLI_HANDLER(handler_under_test, SERVE SERVE)

static void test_a_handler_serves_what_its_line_names(void **state)
{
    (void)state;
    handler_under_test();
    assert_int_equal(served, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_handler_serves_what_its_line_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
