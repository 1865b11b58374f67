/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "dispatch.h"
#include "with_cmocka.h"
#include <hrl/hooks.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The kernel's weak defaults: this program links nothing that defines the hooks. */
HRLI_DISPATCH_DEFINE(hrli_dispatch_leave_nothing, false)

static void test_the_default_overrun_hook_returns(void **state)
{
    (void)state;
    hrl_overrun_hook(NULL, 0);
}

static void test_the_default_assert_hook_says_why_and_where_and_halts(void **state)
{
    int channel[2];
    int status;
    char text[200] = "";
    pid_t child;

    (void)state;
    assert_int_equal(pipe(channel), 0);
    child = fork();
    if (child == 0) {
        dup2(channel[1], 2);
        hrl_assert_hook("a lock held twice", "file.c", 7);
        _exit(0); /* it returned */
    }
    close(channel[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(read(channel[0], text, sizeof text - 1) > 0);
    close(channel[0]);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_non_null(strstr(text, "a lock held twice"));
    assert_non_null(strstr(text, "file.c"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_default_overrun_hook_returns),
        cmocka_unit_test(test_the_default_assert_hook_says_why_and_where_and_halts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
