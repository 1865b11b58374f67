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
    hrl_basic_overrun_hook(NULL);
}

/* Calls `end` in a process of its own. Returns its exit status; what it said is in `said`. */
static char said[1000];

static int status_of(void (*end)(void))
{
    int channel[2];
    int status;
    pid_t child;

    memset(said, 0, sizeof said);
    assert_int_equal(pipe(channel), 0);
    child = fork();
    if (child == 0) {
        dup2(channel[1], 2);
        end();
        _exit(0); /* it returned */
    }
    close(channel[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    for (size_t length = 0;;) {
        ssize_t more = read(channel[0], said + length, sizeof said - 1 - length);
        if (more <= 0) {
            break;
        }
        length += (size_t)more;
    }
    close(channel[0]);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void break_a_promise(void)
{
    hrl_assert_hook("a lock held twice", "file.c", 1207);
}

static void test_a_broken_promise_is_reported_and_halts(void **state)
{
    (void)state;
    assert_int_equal(status_of(break_a_promise), 1);
    assert_string_equal(said,
                        "\nfault: a lock held twice\n  at file.c:1207\n  in thread 'start-up'\n");
}

static struct hrl_fault fault;

static void stop(void)
{
    hrl_fault_hook(&fault);
}

static void test_a_fault_is_reported_with_registers(void **state)
{
    static const uint32_t registers[] = {0x12345678, 0, 0xFFFFFFFF, 4, 5, 6, 0x9ABCDEF0, 8};

    (void)state;
    fault = (struct hrl_fault){.reason = "no handler",
                               .interrupt = -14,
                               .thread = "worker",
                               .in_interrupt = true,
                               .register_names = "pc sp x31 x5 a b c d",
                               .registers = registers,
                               .register_count = 8};
    assert_int_equal(status_of(stop), 4);
    assert_string_equal(said,
                        "\nfault: no handler, line -14\n  in an interrupt of thread 'worker'\n"
                        "  pc=12345678 sp=00000000 x31=ffffffff x5=00000004"
                        " a=00000005 b=00000006 c=9abcdef0\n  d=00000008\n");
    fault.interrupt = 0;
    fault.register_count = 0;
    assert_int_equal(status_of(stop), 4);
    assert_non_null(strstr(said, "no handler, line 0\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_default_overrun_hook_returns),
        cmocka_unit_test(test_a_broken_promise_is_reported_and_halts),
        cmocka_unit_test(test_a_fault_is_reported_with_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
