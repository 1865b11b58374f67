/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_host_jobs.h"
#include "slice_unified.h"
#include "with_cmocka.h"
#include <string.h>

/* What the cell was armed for last; the model in a whole system: conform/timing. */
static struct hrli_slice_unified unified;
static hrl_stamp armed;
static unsigned armings, served;
static struct hrl_thread running;

static void arm(hrl_stamp due)
{
    armed = due;
    armings++;
}

static void serve_and_wake_later(void)
{
    served++;
    hrli_slice_unified_wake_at(&unified, 900000, arm);
}

static int set_up(void **state)
{
    (void)state;
    hrlp_host_reset();
    hrlp_host_setup.clock_start = 1000;
    hrlp_clock_start();
    memset(&hrli_core, 0, sizeof hrli_core);
    hrli_ready_init(&hrli_core.ready);
    running.ready.priority = 5;
    hrli_ready_add(&hrli_core.ready, &running.ready);
    hrli_core.running = &running;
    hrli_core.threshold = 5;
    armings = served = 0;
    unified = (struct hrli_slice_unified){0};
    return 0;
}

static void test_the_cell_is_armed_for_what_comes_first(void **state)
{
    (void)state;
    hrli_slice_unified_begin(&unified, 500);
    hrli_slice_unified_wake_never(&unified, arm);
    assert_int_equal(armed, 1500);
    hrli_slice_unified_wake_at(&unified, 1400, arm);
    assert_int_equal(armed, 1400);
    hrli_slice_unified_wake_at(&unified, 1600, arm);
    assert_int_equal(armed, 1500);
    hrlp_host_consume(300);
    hrli_slice_unified_restart(&unified, 500, arm);
    assert_int_equal(armed, 1600); /* the wake-up, before the new end */
    assert_int_equal(unified.end, 1800);
}

static void test_across_the_wrap(void **state)
{
    (void)state;
    unified = (struct hrli_slice_unified){.end = 10, .wake = 0xFFFFFFF0u};
    hrli_slice_unified_arm(&unified, arm);
    assert_int_equal(armed, 0xFFFFFFF0u);
    unified = (struct hrli_slice_unified){.end = 0xFFFFFFF0u, .wake = 10};
    hrli_slice_unified_arm(&unified, arm);
    assert_int_equal(armed, 0xFFFFFFF0u);
}

static void test_an_interrupt_arms_once(void **state)
{
    (void)state;
    hrli_slice_unified_begin(&unified, 500);
    hrlp_host_consume(500);
    hrli_slice_unified_interrupt(&unified, 500, arm, serve_and_wake_later);
    assert_int_equal(served, 1);
    assert_int_equal(armings, 1);
    assert_int_equal(armed, 2000); /* alone: another slice */
}

static void test_before_the_end_the_slice_goes_on(void **state)
{
    (void)state;
    hrli_slice_unified_begin(&unified, 500);
    hrlp_host_consume(497);
    hrli_slice_unified_interrupt(&unified, 500, arm, serve_and_wake_later);
    assert_int_equal(armed, 1500);
    hrlp_host_consume(1); /* as early as a cell may be */
    hrli_slice_unified_interrupt(&unified, 500, arm, serve_and_wake_later);
    assert_int_equal(armed, 1998);
}

static void test_an_end_that_cannot_be_is_tried_again(void **state)
{
    (void)state;
    hrli_slice_unified_begin(&unified, 5000);
    hrlp_host_consume(5000);
    hrli_core_lock_dispatch();
    hrli_slice_unified_interrupt(&unified, 5000, arm, serve_and_wake_later);
    assert_int_equal(armed, 6000 + HRLI_SLICE_PROLONGED_COUNTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_cell_is_armed_for_what_comes_first, set_up),
        cmocka_unit_test_setup(test_across_the_wrap, set_up),
        cmocka_unit_test_setup(test_an_interrupt_arms_once, set_up),
        cmocka_unit_test_setup(test_before_the_end_the_slice_goes_on, set_up),
        cmocka_unit_test_setup(test_an_end_that_cannot_be_is_tried_again, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
