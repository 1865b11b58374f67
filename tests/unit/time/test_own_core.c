/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "own_core.h"
#include "system_under_test.h"
#include "two_cores.h"
#include "with_cmocka.h"

/* Objects of one core, on the two cores of tests/support/two_cores. */
static struct {
    struct hrli_home home;
} object;

static void test_the_first_core_owns_it(void **state)
{
    (void)state;
    for (unsigned core = 0; core < HRL_CORES; core++) {
        object.home.owner = 0;
        two_cores_number = core;
        assert_true(hrli_home_is_here(&object.home));
        assert_true(hrli_home_is_here(&object.home));
        two_cores_number = 1 - core;
        assert_false(hrli_home_is_here(&object.home));
        two_cores_number = core;
        assert_true(hrli_home_is_here(&object.home));
    }
    two_cores_number = 0;
}

static void call(void)
{
    HRLI_CHECK_OWN_CORE(&object, "an object of another core");
}

static void test_a_call_on_another_core_stops(void **state)
{
    (void)state;
    sut_reset();
    object.home.owner = 0;
    call();
    two_cores_number = 1;
    sut_call_to_assertion(call, "an object of another core");
    two_cores_number = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_core_owns_it),
        cmocka_unit_test(test_a_call_on_another_core_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
