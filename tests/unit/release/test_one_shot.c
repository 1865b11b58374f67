/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "system_under_test.h"
#include "with_cmocka.h"

static const hrl_counts wrap = (hrl_counts)1 << 32;

static struct sut_task task_of(uint32_t level, uint64_t period, hrl_counts cost)
{
    return (struct sut_task){.level = level, .period = sut_period(period, 1), .cost = cost};
}

static void check(char kind, unsigned index, size_t n, hrl_counts at, hrl_counts value)
{
    const struct sut_event *event = sut_nth(kind, index, n);

    assert_int_equal(event->at, sut_zero() + at);
    assert_int_equal(event->value, sut_zero() + value);
}

static void one_releaser(void)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true});
}

static void test_it_interrupts_at_release_instants_only(void **state)
{
    static const unsigned instants[] = {0, 3000, 4000, 6000, 8000, 9000};

    (void)state;
    one_releaser();
    sut_add_task(task_of(1, 3000, 10));
    sut_add_task(task_of(2, 4000, 10));
    sut_run(12000);
    assert_int_equal(sut_count('I', 0), 6);
    for (unsigned k = 0; k < 6; k++) {
        check('I', 0, k, instants[k], instants[k]);
    }
}

static void test_fractions_of_a_count(void **state)
{
    (void)state;
    one_releaser();
    sut_add_task((struct sut_task){.level = 1, .period = sut_period(25000, 3), .cost = 10});
    sut_run(25000000);
    assert_int_equal(sut_count('R', 0), 3000);
    for (unsigned k = 0; k < 3000; k += 7) {
        check('R', 0, k, k * 25000ull / 3, k * 25000ull / 3);
    }
}

static void test_the_stamp_wraps_during_the_run(void **state)
{
    (void)state;
    for (hrl_counts before = 0; before < 4; before++) {
        one_releaser();
        hrlp_host_setup.clock_start = wrap - SUT_START_COUNTS - 3000 - before;
        sut_add_task(task_of(1, 1000, 998));
        sut_add_task(task_of(2, 2000, 1));
        sut_run(10000);
        for (unsigned k = 0; k < 10; k++) {
            check('R', 0, k, k * 1000, k * 1000);
        }
    }
}

static void test_a_release_that_passed_during_the_job_is_an_overrun(void **state)
{
    (void)state;
    one_releaser();
    sut_add_task(task_of(1, 1000, 2500));
    sut_run(9000);
    assert_int_equal(sut_count('R', 0), 3);
    check('R', 0, 1, 3000, 3000);
    check('R', 0, 2, 6000, 6000);
    assert_int_equal(sut_periodic(0)->overruns, 6);
    assert_int_equal(sut_overrun_hooks[0], 6);
}

static void one_long_job(void)
{
    if (sut_count('S', 0) == 1) {
        hrlp_host_consume(3500);
    }
}

static void test_overruns_are_queued_and_counted(void **state)
{
    struct sut_task task = task_of(1, 1000, 600);

    (void)state;
    one_releaser();
    task.queue_overruns = true;
    task.body = one_long_job;
    sut_add_task(task);
    sut_run(20000);
    assert_int_equal(sut_count('S', 0), 20);
    for (unsigned k = 1; k < 9; k++) {
        assert_int_equal(sut_nth('S', 0, k)->at, sut_zero() + 4100 + 600 * (k - 1));
    }
    assert_int_equal(sut_periodic(0)->overruns, 8);
    assert_int_equal(sut_overrun_hooks[0], 8);
}

static void test_a_job_that_ends_as_its_next_release_falls_is_in_time(void **state)
{
    (void)state;
    one_releaser();
    sut_add_task(task_of(1, 1000, 1000));
    hrlp_host_setup.limit = 9000; /* it is never idle */
    sut_run(9000);
    assert_int_equal(sut_count('R', 0), 9);
    assert_int_equal(sut_periodic(0)->overruns, 0);
}

static void masked_for_long(void)
{
    hrlp_irq_state lock = hrlp_irq_lock();

    hrlp_host_consume(5500);
    hrlp_irq_unlock(lock);
}

static void test_masked_over_many_instants_loses_none(void **state)
{
    struct sut_task blocker = task_of(1, 50000, 10);

    (void)state;
    one_releaser();
    blocker.body = masked_for_long;
    sut_add_task(blocker);
    for (unsigned i = 1; i < 8; i++) {
        struct sut_task task = task_of(1 + i, 10000, 10);
        task.offset = 1000 * i;
        sut_add_task(task);
    }
    sut_run(10000);
    for (unsigned i = 1; i < 8; i++) {
        check('R', i, 0, i <= 5 ? 5500 : i * 1000, i * 1000);
    }
    assert_int_equal(sut_count('I', 0), 4); /* at 0, 5500, 6000, 7000 */
    assert_int_equal(sut_count('V', 0), 8);
}

static void test_instants_next_to_each_other(void **state)
{
    (void)state;
    one_releaser();
    for (unsigned i = 0; i < 6; i++) {
        struct sut_task task = task_of(7 - i, 10000, 100);
        task.offset = i;
        sut_add_task(task);
    }
    sut_run(20000);
    for (unsigned i = 0; i < 6; i++) {
        for (unsigned k = 0; k < 2; k++) {
            const struct sut_event *event = sut_nth('R', i, k);
            assert_int_equal(event->value, sut_zero() + i + 10000 * k);
            assert_true(event->at + HRLP_CELL_EARLY_COUNTS >= event->value);
            assert_true(event->at <= event->value);
        }
    }
}

static void test_hops_of_a_narrow_cell(void **state)
{
    (void)state;
    sut_reset();
    for (unsigned i = 0; i < 4; i++) {
        sut_add_releaser((struct sut_releaser){.one_shot = true});
    }
    /*
     * Cell 3 has 24 bits: 2^23 a hop, the first of which begins as the job ends; 80,000,000 are 9
     * hops and 4,502,528 counts.
     */
    sut_add_task((struct sut_task){
        .releaser = 3, .level = 1, .period = sut_period(100000000, 1), .cost = 20000000});
    sut_run(400000000);
    assert_int_equal(sut_count('R', 0), 4);
    for (unsigned k = 0; k < 4; k++) {
        check('R', 0, k, k * 100000000, k * 100000000);
    }
    assert_int_equal(sut_count('V', 3), 1 + 3 * 10 + 9);
    assert_int_equal(sut_periodic(0)->overruns, 0);
}

static void test_a_period_beyond_the_horizon_is_reached_in_hops(void **state)
{
    const hrl_counts period = ((hrl_counts)9 << 30) + 12345;

    (void)state;
    one_releaser();
    sut_add_task(task_of(1, period, 1000));
    sut_add_task(task_of(2, (hrl_counts)1 << 30, 1000));
    sut_run(3 * period + 1);
    assert_int_equal(sut_count('S', 0), 4);
    for (unsigned k = 0; k < 4; k++) {
        assert_int_equal(sut_nth('S', 0, k)->at, sut_zero() + k * period + (k == 0 ? 1000 : 0));
    }
    assert_int_equal(sut_count('S', 1), 28);
    assert_int_equal(sut_periodic(0)->overruns, 0);
}

static hrl_counts walk_of_1500(void)
{
    return 1500;
}

/*
 * A walks from 100 to 1600 to insert its release at 900; the cell is armed for B's at 1000 and interrupts
 * meanwhile. Both have passed when A leaves, and each is released for its own instant, in order.
 */
static void test_an_insertion_before_the_instant_that_was_deferred(void **state)
{
    (void)state;
    one_releaser();
    sut_insert_counts = walk_of_1500;
    sut_add_task((struct sut_task){.level = 2, .period = sut_period(900, 1), .cost = 100});
    sut_add_task((struct sut_task){
        .level = 1, .offset = 1000, .period = sut_period(100000, 1), .cost = 100});
    sut_run(1000);
    check('I', 0, 1, 1000, 1000);
    check('R', 0, 1, 1600, 900);
    check('R', 1, 0, 1600, 1000);
    assert_int_equal(sut_nth('S', 0, 1)->at, sut_zero() + 1600);
}

static void interrupt_too_soon(void)
{
    hrlp_irq_raise(0); /* as the cell would */
}

static void test_a_spurious_interrupt_does_no_harm(void **state)
{
    struct sut_task task = task_of(1, 1000, 10);

    (void)state;
    one_releaser();
    task.body = interrupt_too_soon; /* nothing is armed */
    sut_add_task(task);
    task.level = 2;
    sut_add_task(task); /* the other's release is */
    sut_run(10000);
    for (unsigned k = 0; k < 10; k++) {
        check('R', 0, k, 1000 * k, 1000 * k);
        check('R', 1, k, 1000 * k, 1000 * k);
    }
}

static hrl_counts interrupted_walk(void)
{
    if (hrlp_host_now() < sut_zero() + 1000) {
        interrupt_too_soon(); /* deferred, as a thread uses the store */
    }
    return 0;
}

static void test_a_spurious_interrupt_in_a_walk_that_brings_a_new_first(void **state)
{
    (void)state;
    one_releaser();
    sut_insert_counts = interrupted_walk;
    sut_add_task(task_of(2, 1000, 10));
    sut_add_task(
        (struct sut_task){.level = 1, .offset = 5000, .period = sut_period(5000, 1), .cost = 10});
    sut_run(8000);
    for (unsigned k = 0; k < 8; k++) {
        check('R', 0, k, 1000 * k, 1000 * k);
    }
    check('R', 1, 0, 5000, 5000);
}

/* The same when the store was empty, so that nothing was armed. */
static void test_a_spurious_interrupt_in_a_walk_into_an_empty_store(void **state)
{
    (void)state;
    one_releaser();
    sut_insert_counts = interrupted_walk;
    sut_add_task(task_of(2, 1000, 10));
    sut_run(8000);
    assert_int_equal(sut_count('R', 0), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_interrupts_at_release_instants_only),
        cmocka_unit_test(test_fractions_of_a_count),
        cmocka_unit_test(test_the_stamp_wraps_during_the_run),
        cmocka_unit_test(test_a_release_that_passed_during_the_job_is_an_overrun),
        cmocka_unit_test(test_overruns_are_queued_and_counted),
        cmocka_unit_test(test_a_job_that_ends_as_its_next_release_falls_is_in_time),
        cmocka_unit_test(test_masked_over_many_instants_loses_none),
        cmocka_unit_test(test_instants_next_to_each_other),
        cmocka_unit_test(test_hops_of_a_narrow_cell),
        cmocka_unit_test(test_a_period_beyond_the_horizon_is_reached_in_hops),
        cmocka_unit_test(test_an_insertion_before_the_instant_that_was_deferred),
        cmocka_unit_test(test_a_spurious_interrupt_does_no_harm),
        cmocka_unit_test(test_a_spurious_interrupt_in_a_walk_that_brings_a_new_first),
        cmocka_unit_test(test_a_spurious_interrupt_in_a_walk_into_an_empty_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
