/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "limited_jobs.h"
#include "system_under_test.h"
#include "with_cmocka.h"

HRL_SEMAPHORE_DEFINE(never, 0, 1);

static void body(void)
{
    sut_note("job");
}

static void run_for_ever(void *argument)
{
    static uint32_t left = 3;

    (void)argument;
    for (;;) {
        hrli_limited_jobs_run(&left, &never, body);
    }
}

static void note_lower(void *argument)
{
    (void)argument;
    sut_note("lower");
}

static void test_after_its_last_job_the_thread_waits_for_ever(void **state)
{
    (void)state;
    sut_reset();
    sut_start("limited", 2, run_for_ever, NULL);
    sut_start("lower", 1, note_lower, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "job job job lower ");
    assert_int_equal(hrl_semaphore_count(&never), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_after_its_last_job_the_thread_waits_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
