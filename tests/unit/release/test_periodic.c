/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "system.h"
#include "system_under_test.h"
#include "with_cmocka.h"

static const hrl_counts wrap = (hrl_counts)1 << 32;

static struct sut_task task_of(uint32_t level, uint64_t period, hrl_counts cost)
{
    return (struct sut_task){.level = level, .period = sut_period(period, 1), .cost = cost};
}

/* Event n of a kind happened at instant `at` after t = 0, for the instant `value` after it. */
static void check(char kind, unsigned index, size_t n, hrl_counts at, hrl_counts value)
{
    const struct sut_event *event = sut_nth(kind, index, n);

    assert_int_equal(event->at, sut_zero() + at);
    assert_int_equal(event->value, sut_zero() + value);
}

static void test_it_interrupts_every_period_from_t_0_on(void **state)
{
    (void)state;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.cell_period = 1000});
    sut_add_task(task_of(1, 3000, 10));
    sut_run(10000);
    assert_int_equal(sut_count('I', 0), 10);
    assert_int_equal(sut_count('V', 0), 10);
    assert_int_equal(sut_count('R', 0), 4);
    for (unsigned k = 0; k < 10; k++) {
        check('I', 0, k, k * 1000, k * 1000);
        check('V', 0, k, k * 1000, k * 1000);
    }
}

static void test_offsets(void **state)
{
    (void)state;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.cell_period = 500});
    for (unsigned i = 0; i < 5; i++) {
        struct sut_task task = task_of(1 + i, 2000, 10);
        task.offset = 500 * i;
        sut_add_task(task);
    }
    sut_run(20000);
    for (unsigned i = 0; i < 5; i++) {
        for (unsigned k = 0; k < 5; k++) {
            check('R', i, k, 500 * i + 2000 * k, 500 * i + 2000 * k);
        }
    }
}

static void test_the_stamp_wraps_during_the_run(void **state)
{
    (void)state;
    for (hrl_counts before = 0; before < 4; before++) {
        sut_reset();
        hrlp_host_setup.clock_start = wrap - SUT_START_COUNTS - 3000 - before;
        sut_add_releaser((struct sut_releaser){.cell_period = 1000});
        sut_add_task(task_of(1, 1000, 999));
        sut_add_task(task_of(2, 2000, 1));
        sut_run(10000);
        assert_int_equal(sut_count('I', 0), 10);
        for (unsigned k = 0; k < 10; k++) {
            check('R', 0, k, k * 1000, k * 1000);
        }
        assert_int_equal(sut_periodic(0)->overruns, 0);
    }
}

/* Jobs of 2500 every 1000: the releases at 1000 and 2000 fall into the first job, ... */
static void test_overruns_are_skipped_and_counted(void **state)
{
    (void)state;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.cell_period = 1000});
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
    sut_reset();
    sut_add_releaser((struct sut_releaser){.cell_period = 1000});
    task.queue_overruns = true;
    task.body = one_long_job;
    sut_add_task(task);
    sut_run(20000);
    /* Ends at 4100, then back to back at 4700, 5300, ... until job 9, released at 9000, starts on time. */
    assert_int_equal(sut_count('S', 0), 20);
    for (unsigned k = 1; k < 9; k++) {
        assert_int_equal(sut_nth('S', 0, k)->at, sut_zero() + 4100 + 600 * (k - 1));
    }
    check('R', 0, 1, 10000 - 1000, 9000); /* those before were never put back into the store */
    assert_int_equal(sut_periodic(0)->overruns, 8);
    assert_int_equal(sut_overrun_hooks[0], 8);
}

static void masked_for_long(void)
{
    hrlp_irq_state lock = hrlp_irq_lock();

    if (sut_count('S', 0) == 1) {
        hrlp_host_consume(5500);
    }
    hrlp_irq_unlock(lock);
}

static void test_masked_for_longer_than_a_period_loses_no_instant(void **state)
{
    struct sut_task blocker = task_of(1, 50000, 10);

    (void)state;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.cell_period = 1000});
    blocker.body = masked_for_long;
    sut_add_task(blocker);
    for (unsigned i = 1; i < 8; i++) {
        struct sut_task task = task_of(1 + i, 10000, 10);
        task.offset = 1000 * i;
        sut_add_task(task);
    }
    sut_run(10000);
    for (unsigned k = 0; k < 10; k++) {
        check('V', 0, k, k >= 1 && k <= 5 ? 5500 : k * 1000, k * 1000);
    }
    for (unsigned i = 1; i < 8; i++) {
        check('R', i, 0, i <= 5 ? 5500 : i * 1000, i * 1000);
    }
    /* One interrupt stands for five instants, and later ones keep their phase. */
    assert_int_equal(sut_count('I', 0), 6);
    check('I', 0, 1, 5500, 1000);
    check('I', 0, 2, 6000, 6000);
}

static void test_a_period_too_long_for_the_cell_is_divided(void **state)
{
    (void)state;
    sut_reset();
    for (unsigned i = 0; i < 3; i++) {
        sut_add_releaser((struct sut_releaser){.one_shot = true});
    }
    sut_add_releaser((struct sut_releaser){.cell_period = 10000000, .divider = 5});
    sut_add_task((struct sut_task){
        .releaser = 3, .level = 1, .period = sut_period(50000000, 1), .cost = 10});
    sut_add_task((struct sut_task){.releaser = 3,
                                   .level = 2,
                                   .offset = 50000000,
                                   .period = sut_period(100000000, 1),
                                   .cost = 10});
    sut_run(500000000);
    assert_int_equal(sut_count('I', 3), 50);
    assert_int_equal(sut_count('R', 0), 10);
    assert_int_equal(sut_count('R', 1), 5);
    for (unsigned k = 0; k < 10; k++) {
        check('R', 0, k, k * 50000000, k * 50000000);
    }
    check('R', 1, 4, 450000000, 450000000);
}

static void test_cells_of_one_instant_are_in_phase(void **state)
{
    (void)state;
    sut_reset();
    for (unsigned i = 0; i < 4; i++) {
        sut_add_releaser((struct sut_releaser){.cell_period = 1000 * (i + 1)});
        sut_add_task((struct sut_task){
            .releaser = i, .level = 1 + i, .period = sut_period(1000 * (i + 1), 1), .cost = 10});
    }
    sut_run(24001);
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned k = 0; k * (i + 1) <= 24; k++) {
            check('I', i, k, 1000 * (i + 1) * k, 1000 * (i + 1) * k);
            check('R', i, k, 1000 * (i + 1) * k, 1000 * (i + 1) * k);
        }
    }
}

static hrl_counts longer_than_a_period(void)
{
    return 2300;
}

/* The walk of an insertion lasts for more than two instants; the thread serves them as it leaves. */
static void test_interrupts_during_a_walk_are_deferred(void **state)
{
    (void)state;
    sut_reset();
    sut_insert_counts = longer_than_a_period;
    sut_add_releaser((struct sut_releaser){.cell_period = 1000});
    sut_add_task(task_of(1, 20000, 100)); /* walks from 100 to 2400 */
    sut_add_task(
        (struct sut_task){.level = 2, .offset = 1000, .period = sut_period(20000, 1), .cost = 100});
    sut_add_task(
        (struct sut_task){.level = 3, .offset = 2000, .period = sut_period(20000, 1), .cost = 100});
    sut_run(10000);
    check('I', 0, 1, 1000, 1000);
    check('I', 0, 2, 2000, 2000);
    check('R', 1, 0, 2400, 1000);
    check('R', 2, 0, 2400, 2000);
    assert_int_equal(sut_nth('S', 2, 0)->at, sut_zero() + 2400);
}

static void test_a_spurious_interrupt_does_nothing(void **state)
{
    (void)state;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.cell_period = 1000});
    sut_add_task(task_of(1, 1000, 10));
    sut_run(3500);
    sut_interrupt(0);
    sut_interrupt(0);
    assert_int_equal(sut_count('V', 0), 4);
    assert_int_equal(sut_count('R', 0), 4);
}

/*
 * A cell that is two counts early serves 1000 at 998; a job that ends in between has been overrun: it must
 * not wait for an instant that was served.
 */
static void test_an_instant_that_was_served_early_is_not_waited_for(void **state)
{
    (void)state;
    sut_reset();
    hrlp_host_setup.cells_early = 2;
    sut_add_releaser((struct sut_releaser){.cell_period = 1000});
    sut_add_task(task_of(1, 1000, 1001)); /* from -2 to 999, from 1998 to 2999, ... */
    sut_run(9000);
    assert_int_equal(sut_count('R', 0), 5);
    for (unsigned k = 1; k < 5; k++) {
        check('R', 0, k, 2000 * k - 2, 2000 * k);
    }
    assert_int_equal(sut_periodic(0)->overruns, 5);
}

static unsigned expiries;

static void expire(struct hrli_called_timeout *timeout)
{
    (void)timeout;
    expiries++;
}

/* As a thread on its way into the store, when the tick comes that serves its instant. */
static void put_what_has_been_served(void *argument)
{
    const struct hrli_timeouts *timeouts = hrl_gen_system.timeouts;
    struct hrli_called_timeout called = {.expire = expire};

    (void)argument;
    hrl_thread_sleep_for(1000);
    hrli_core_lock_dispatch();
    called.node.key = timeouts->releaser->served;
    timeouts->put(&called.node);
    assert_int_equal(expiries, 1);
    called.node.key++;
    timeouts->put(&called.node);
    assert_int_equal(expiries, 1);
    timeouts->remove(&called.node);
    hrli_core_allow_dispatch(1);
    sut_note("done");
}

static void test_an_instant_that_has_been_served_is_served_at_once(void **state)
{
    (void)state;
    expiries = 0;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.cell_period = 400, .timeouts = true});
    sut_start("late", 1, put_what_has_been_served, NULL);
    sut_run(10000);
    assert_string_equal(sut_notes, "done ");
}

static int of_a_cell_that_catches_up(void **state)
{
    (void)state;
    sut_serves_next = true;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_interrupts_every_period_from_t_0_on),
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_the_stamp_wraps_during_the_run),
        cmocka_unit_test(test_overruns_are_skipped_and_counted),
        cmocka_unit_test(test_overruns_are_queued_and_counted),
        cmocka_unit_test(test_masked_for_longer_than_a_period_loses_no_instant),
        cmocka_unit_test(test_a_period_too_long_for_the_cell_is_divided),
        cmocka_unit_test(test_cells_of_one_instant_are_in_phase),
        cmocka_unit_test(test_interrupts_during_a_walk_are_deferred),
        cmocka_unit_test(test_a_spurious_interrupt_does_nothing),
        cmocka_unit_test(test_an_instant_that_was_served_early_is_not_waited_for),
        cmocka_unit_test(test_an_instant_that_has_been_served_is_served_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) +
           cmocka_run_group_tests_name("cells that catch up", tests, of_a_cell_that_catches_up,
                                       NULL);
}
