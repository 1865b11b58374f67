/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#define HRL_CLOCK_HZ 1000000u
#include "portable.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/thread.h>

static void look(void *argument)
{
    (void)argument;
    hrl_thread_sleep_for(25);
    assert_true(hrli_portable_until(HRL_PORTABLE_NO_WAIT) == HRL_NO_WAIT);
    assert_true(hrli_portable_until(HRL_PORTABLE_FOREVER) == HRL_FOREVER);
    assert_true(hrli_portable_until(HRL_PORTABLE_US(1)) == 26);
    assert_true(hrli_portable_until(HRL_PORTABLE_S(4294)) == 25 + UINT64_C(4294000000));
    sut_note("end");
}

static void test_spans_begin_now(void **state)
{
    (void)state;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    sut_start("alone", 1, look, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "end ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spans_begin_now)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
