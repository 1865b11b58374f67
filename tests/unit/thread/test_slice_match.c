/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The match that two cores share, on those of tests/support/two_cores. In a whole system, on RTL: bench/cores.
 */
#include "slice_match.h"
#include "two_cores.h"
#include "with_cmocka.h"

static struct hrli_slice_match matches[HRL_CORES];
static hrl_stamp armed;
static unsigned times_armed;
static unsigned rung[HRL_CORES];

static void arm(hrl_stamp due)
{
    assert_true(two_cores_spun[HRLI_LOCK_OF_MATCH]);
    armed = due;
    times_armed++;
}

static void ring(unsigned core)
{
    assert_true(two_cores_spun[HRLI_LOCK_OF_MATCH]);
    rung[core]++;
}

static void set(unsigned core, hrl_stamp next)
{
    hrlp_irq_state state = hrlp_irq_lock();

    two_cores_on(core);
    hrli_slice_match_set(&matches[core], next, arm);
    hrlp_irq_unlock(state);
}

static void pass_on(unsigned core, hrl_stamp now)
{
    hrlp_irq_state state = hrlp_irq_lock();

    two_cores_on(core);
    hrli_slice_match_pass_on(&matches[core], now, ring);
    hrlp_irq_unlock(state);
}

static int prepare(void **state)
{
    (void)state;
    two_cores_reset();
    two_cores_object_bytes = sizeof matches[0];
    times_armed = 0;
    for (unsigned core = 0; core < HRL_CORES; core++) {
        matches[core].next = (hrl_stamp)1 << 30;
        rung[core] = 0;
    }
    return 0;
}

static void test_the_match_is_the_least_of_all_cores(void **state)
{
    (void)state;
    set(0, 100);
    assert_int_equal(armed, 100);
    set(1, 200);
    assert_int_equal(armed, 100);
    set(1, 50);
    assert_int_equal(armed, 50);
    set(1, 300);
    assert_int_equal(armed, 100);
    set(0, 400);
    assert_int_equal(armed, 300);
    assert_int_equal(times_armed, 5);
    assert_false(two_cores_spun[HRLI_LOCK_OF_MATCH]);
}

static void test_counts_wrap(void **state)
{
    (void)state;
    set(0, 0xFFFFFFF0u);
    set(1, 16);
    assert_int_equal(armed, 0xFFFFFFF0u);
    set(0, 32);
    assert_int_equal(armed, 16);
    pass_on(0, 15);
    assert_int_equal(rung[1], 0);
    pass_on(0, 16);
    assert_int_equal(rung[1], 1);
}

static void test_core_0_calls_the_other_core_if_that_is_due_and_once(void **state)
{
    (void)state;
    set(0, 225);
    set(1, 100);
    pass_on(0, 99);
    assert_int_equal(rung[1], 0);
    pass_on(0, 100);
    pass_on(0, 101);
    assert_int_equal(rung[1], 1);
    assert_int_equal(rung[0], 0);
    set(0, 225);
    assert_int_equal(armed, 225); /* what core 1 waited for is over */
    set(1, 125);
    assert_int_equal(armed, 125);
}

static void test_other_cores_call_no_core(void **state)
{
    (void)state;
    set(0, 25);
    set(1, 25);
    two_cores_locks = 0;
    pass_on(1, 50);
    assert_int_equal(rung[0] + rung[1] + two_cores_locks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_match_is_the_least_of_all_cores, prepare),
        cmocka_unit_test_setup(test_counts_wrap, prepare),
        cmocka_unit_test_setup(test_core_0_calls_the_other_core_if_that_is_due_and_once, prepare),
        cmocka_unit_test_setup(test_other_cores_call_no_core, prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
