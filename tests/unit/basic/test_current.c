/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "lines_under_test.h"
#include "with_cmocka.h"
#include <hrl/thread.h>

/* Which basic task runs, on a controller or served by threads: the same suite. */

enum { HIGH, LOW };

static void note_current(void)
{
    const struct hrl_basic *task = hrl_basic_current();

    sut_note(task == NULL ? "none" : hrl_basic_name(task));
}

static void interrupted(void)
{
    note_current();
    (void)hrl_basic_activate(lut_task(HIGH));
    note_current();
}

static void activate(void *task)
{
    note_current();
    (void)hrl_basic_activate(task);
    note_current();
}

static void test_the_task_that_runs_is_the_last_that_began(void **state)
{
    (void)state;
    lut_reset();
    lut_add((struct lut_task){.name = "high", .level = 5, .body = note_current});
    lut_add((struct lut_task){.name = "low", .level = 2, .body = interrupted});
    lut_build();
    sut_start("thread", 1, activate, (void *)(uintptr_t)lut_task(LOW));
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "none low high low none ");
}

static void test_before_the_start_none_runs(void **state)
{
    (void)state;
    lut_reset();
    lut_add((struct lut_task){.name = "high", .level = 5, .body = note_current});
    lut_build();
    assert_null(hrl_basic_current());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_task_that_runs_is_the_last_that_began),
        cmocka_unit_test(test_before_the_start_none_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
