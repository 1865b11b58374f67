/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core.h"
#include "hrlp_upcalls.h"
#include "with_cmocka.h"
#include <string.h>

/* In systems of threads; unit/basic/test_basic_name.c is for those with basic tasks. */

static struct hrl_thread idle;

static int set_up(void **state)
{
    (void)state;
    memset(&hrli_core, 0, sizeof hrli_core);
    idle.name = "idle";
    hrli_core.running = &idle;
    return 0;
}

static void test_the_running_threads_name(void **state)
{
    (void)state;
    assert_string_equal(hrli_cpu_current_name(), "idle");
    hrli_core.running = NULL;
    assert_string_equal(hrli_cpu_current_name(), "start-up");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_running_threads_name, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
