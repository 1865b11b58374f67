/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"
#include "hrlp_host_jobs.h"
#include "random.h"
#include "slice_unified_ns.h"
#include "with_cmocka.h"
#include <string.h>

/* What the cell was armed for last; the model in a whole system: conform/timing. */
static struct hrli_slice_unified_ns unified;
static hrl_stamp armed;
static unsigned served;
static struct hrl_thread running;

static const struct hrli_slice_clock clock_25_mhz = {HRLI_NS_PER_COUNT(25000000u),
                                                     HRLI_COUNTS_PER_NS(25000000u)};

static void arm(hrl_stamp due)
{
    armed = due;
}

static void serve_and_wake_never(void)
{
    served++;
    hrli_slice_unified_ns_wake_never(&unified, &clock_25_mhz, arm);
}

static int set_up(void **state)
{
    (void)state;
    hrlp_host_reset();
    hrlp_host_setup.clock_start = 1000;
    hrli_clock_start();
    memset(&hrli_core, 0, sizeof hrli_core);
    hrli_ready_init(&hrli_core.ready);
    running.ready.priority = 5;
    hrli_ready_add(&hrli_core.ready, &running.ready);
    hrli_core.running = &running;
    hrli_core.threshold = 5;
    served = 0;
    unified = (struct hrli_slice_unified_ns){0};
    return 0;
}

static void test_the_cell_is_armed_for_what_comes_first(void **state)
{
    (void)state;
    hrli_slice_unified_ns_begin(&unified, 500 * 40, &clock_25_mhz);
    hrli_slice_unified_ns_wake_never(&unified, &clock_25_mhz, arm);
    assert_int_equal(armed, 1500);
    hrli_slice_unified_ns_wake_at(&unified, 1400, &clock_25_mhz, arm);
    assert_int_equal(armed, 1400);
    hrli_slice_unified_ns_wake_at(&unified, 1600, &clock_25_mhz, arm);
    assert_int_equal(armed, 1500);
    hrlp_host_consume(300);
    hrli_slice_unified_ns_restart(&unified, 500 * 40, &clock_25_mhz, arm);
    assert_int_equal(armed, 1600);
    assert_true(unified.end_ns == 1800 * 40);
}

static void test_an_interrupt_serves_and_ends_the_slice(void **state)
{
    (void)state;
    hrli_slice_unified_ns_begin(&unified, 500 * 40, &clock_25_mhz);
    hrlp_host_consume(497);
    hrli_slice_unified_ns_interrupt(&unified, 500 * 40, &clock_25_mhz, arm, serve_and_wake_never);
    assert_int_equal(served, 1);
    assert_int_equal(armed, 1500);
    hrlp_host_consume(1); /* as early as a cell may be */
    hrli_slice_unified_ns_interrupt(&unified, 500 * 40, &clock_25_mhz, arm, serve_and_wake_never);
    assert_int_equal(armed, 1998);
    hrli_core_lock_dispatch();
    hrlp_host_consume(500);
    hrli_slice_unified_ns_interrupt(&unified, 500 * 40, &clock_25_mhz, arm, serve_and_wake_never);
    assert_int_equal(armed, 1998 + HRLI_SLICE_PROLONGED_COUNTS);
}

/* Whatever the clock, a wake-up comes back to the count that it came from. */
static void test_a_wake_up_is_armed_to_the_count(void **state)
{
    static const struct hrli_slice_clock clocks[] = {
        {HRLI_NS_PER_COUNT(25000000u), HRLI_COUNTS_PER_NS(25000000u)},
        {HRLI_NS_PER_COUNT(7372800u), HRLI_COUNTS_PER_NS(7372800u)},
        {HRLI_NS_PER_COUNT(32768u), HRLI_COUNTS_PER_NS(32768u)},
        {HRLI_NS_PER_COUNT(33333000u), HRLI_COUNTS_PER_NS(33333000u)},
        {HRLI_NS_PER_COUNT(999999999u), HRLI_COUNTS_PER_NS(999999999u)},
    };
    struct random random = {5};

    (void)state;
    unified.end_ns = UINT64_MAX - 1u;
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        for (unsigned n = 0; n < 20000; n++) {
            hrl_stamp due = 1000 + random_below(&random, 1u << 31);

            hrli_slice_unified_ns_wake_at(&unified, due, &clocks[i], arm);
            assert_int_equal(armed, due);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_cell_is_armed_for_what_comes_first, set_up),
        cmocka_unit_test_setup(test_an_interrupt_serves_and_ends_the_slice, set_up),
        cmocka_unit_test_setup(test_a_wake_up_is_armed_to_the_count, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
