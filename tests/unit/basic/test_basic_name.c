/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "basic_name.h"
#include "hrlp_upcalls.h"
#include "lines_under_test.h"
#include "with_cmocka.h"

/* The name in a report: the running basic task's, else the thread's. */

static void note(void)
{
    sut_note(hrli_cpu_current_name());
}

static void in_thread(void *argument)
{
    (void)argument;
    note();
    sut_note(hrli_basic_current_name("none"));
    (void)hrl_basic_activate(lut_task(0));
    note();
}

static void test_a_basic_tasks_name_comes_first(void **state)
{
    (void)state;
    lut_reset();
    sut_note(hrli_cpu_current_name());
    lut_add((struct lut_task){.name = "task", .level = 2, .body = note});
    lut_build();
    sut_start("thread", 3, in_thread, NULL);
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "start-up thread none task thread ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_basic_tasks_name_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
