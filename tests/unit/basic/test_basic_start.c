/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* The system is the test's own; the support's names stay what they are. */
#define hrl_start basic_start
#define hrli_cpu_current_name basic_current_name
void basic_start(void);
const char *basic_current_name(void);
#include "basic_start.h"
/* The host has no guard for stacks; this one can refuse. */
#define hrlp_guard_start(stack) ((void)(stack), has_guard)
#undef hrl_start
#undef hrli_cpu_current_name
#include "hrlp_host.h"
#include "lines_under_test.h"
#include "with_cmocka.h"
#include <hrl/time.h>

/* A system without threads, on the machine's controller. */

static jmp_buf finished;
static bool has_guard = true;

static void prepare(void)
{
    sut_note("prepare");
}

static void start(void)
{
    sut_note(hrl_now() == 0 ? "start" : "late");
    hrlp_host_start_periodic(0, SUT_START_COUNTS, 1000);
}

#define hrl_start basic_start
#define hrli_cpu_current_name basic_current_name
HRLI_BASIC_START_DEFINE(prepare, start)
#undef hrl_start
#undef hrli_cpu_current_name

static void interrupt(void)
{
    sut_note(hrlp_cpu_in_interrupt() ? "cell" : "no cell");
    hrli_basic_clock_wrapped();
    (void)hrl_basic_activate(lut_task(0));
}

static void note_name(void)
{
    sut_note(basic_current_name());
}

static void finish(const char *status)
{
    (void)status;
    longjmp(finished, 1);
}

static void test_a_system_without_threads(void **state)
{
    hrl_counts before;

    (void)state;
    lut_reset();
    lut_add((struct lut_task){.name = "task", .level = 2, .body = note_name});
    lut_build();
    sut_cell_handler = interrupt;
    hrlp_host_prepare_at(0, 8);
    hrlp_host_setup.start = SUT_START_COUNTS;
    hrlp_host_setup.duration = 1500;
    hrlp_host_setup.finish = finish;
    before = hrl_now() >> 32;
    if (setjmp(finished) == 0) {
        basic_start();
    }
    assert_string_equal(sut_notes, "prepare start cell task cell task ");
    assert_string_equal(basic_current_name(), "idle");
    assert_int_equal((hrl_now() >> 32) - before, 2); /* each said that the clock wrapped */
}

static void start_in_interrupt(void)
{
    basic_start();
}

static void test_not_in_an_interrupt(void **state)
{
    (void)state;
    lut_reset();
    lut_add((struct lut_task){.name = "task", .level = 2, .body = start_in_interrupt});
    lut_build();
    (void)hrl_basic_activate(lut_task(0));
    sut_run_to_assertion(1000, "hrl_start: once, in start-up code");
}

static void test_a_guard_that_the_processor_does_not_have_is_found(void **state)
{
    (void)state;
    lut_reset();
    lut_add((struct lut_task){.name = "task", .level = 2, .body = note_name});
    lut_build();
    has_guard = false;
    sut_call_to_assertion(basic_start,
                          "HRL_GUARD is set, but this processor has no memory protection unit");
    has_guard = true;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_guard_that_the_processor_does_not_have_is_found),
        cmocka_unit_test(test_a_system_without_threads),
        cmocka_unit_test(test_not_in_an_interrupt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
