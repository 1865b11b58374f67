/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"
#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include "random.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <string.h>

static const hrl_counts wrap = (hrl_counts)1 << 32;

/* The clock alone, interrupts enabled. */
static void start_at(hrl_counts count)
{
    sut_reset();
    hrlp_host_setup.clock_start = count;
    hrli_clock_start();
    hrlp_irq_unlock(0);
}

static void test_it_is_0_before_the_start(void **state)
{
    (void)state;
    assert_int_equal(hrl_now(), 0);
}

static void test_it_counts_from_the_start(void **state)
{
    (void)state;
    start_at(0);
    assert_int_equal(hrl_now(), 0);
    hrlp_host_consume(12345);
    assert_int_equal(hrl_now(), 12345);
}

static void test_it_goes_on_over_many_wraps(void **state)
{
    (void)state;
    start_at(0);
    for (uint64_t i = 1; i < 50; i++) {
        hrlp_host_consume(wrap / 3);
        assert_int_equal(hrl_now(), i * (wrap / 3));
    }
}

static void test_a_wrap_that_waits_behind_the_lock_counts(void **state)
{
    hrlp_irq_state lock;

    (void)state;
    start_at(wrap - 10);
    lock = hrlp_irq_lock();
    hrlp_host_consume(9);
    assert_int_equal(hrl_now(), wrap - 1);
    hrlp_host_consume(1);
    assert_int_equal(hrl_now(), wrap);
    hrlp_host_consume(wrap - 1);
    assert_int_equal(hrl_now(), 2 * wrap - 1);
    hrlp_irq_unlock(lock);
    assert_int_equal(hrl_now(), 2 * wrap - 1);
}

static struct random random_source;
static uint32_t most_counts;

static hrl_counts some_counts(void)
{
    return random_below(&random_source, most_counts + 1);
}

static void check_reading(void)
{
    hrl_counts before = hrlp_host_now();
    hrl_counts read = hrl_now();

    assert_in_range(read, before, hrlp_host_now());
}

/* Time passes at every read of the port, so that the wrap falls between any two of them. */
static void test_a_wrap_between_any_two_reads(void **state)
{
    (void)state;
    random_source.state = 3;
    for (unsigned run = 0; run < 6000; run++) {
        hrlp_irq_state lock = 0;

        start_at(wrap - 1 - run % 30);
        most_counts = 1 + run / 30 % 4;
        hrlp_host_setup.port_call_counts = some_counts;
        if (run % 2 == 0) {
            lock = hrlp_irq_lock();
        }
        while (hrlp_host_now() < wrap + 5) {
            check_reading();
        }
        if (run % 2 == 0) {
            hrlp_irq_unlock(lock);
            check_reading();
        }
    }
}

static void test_a_wrap_at_each_single_step(void **state)
{
    (void)state;
    most_counts = 0;
    for (unsigned ahead = 1; ahead < 12; ahead++) {
        for (int masked = 0; masked < 2; masked++) {
            hrlp_irq_state lock = 0;

            start_at(wrap - ahead);
            random_source.state = 1;
            most_counts = 1;
            hrlp_host_setup.port_call_counts = some_counts;
            lock = masked ? hrlp_irq_lock() : 0;
            for (int i = 0; i < 6; i++) {
                check_reading();
            }
            if (masked) {
                hrlp_irq_unlock(lock);
            }
        }
    }
}

static unsigned handled;

static void check_in_handler(void)
{
    hrl_counts before = hrlp_host_now();
    hrl_counts read = hrl_now();

    handled++;
    if (read < before || read > hrlp_host_now()) {
        handled = 0x80000000u;
    }
}

/* A job that starts at the very instant of the wrap, and others around it, read the time. */
static char order[16];

static void note(char what)
{
    order[strlen(order)] = what;
    order[strlen(order)] = hrlp_irq_lock() == HRLP_IRQ_UNLOCKED ? '!' : '.';
}

static void note_acknowledged(unsigned channel)
{
    assert_int_equal(channel, 7);
    note('a');
}

static void note_wrapped(void)
{
    note('w');
}

static void test_its_interrupt_counts_and_acknowledges_in_one_step(void **state)
{
    (void)state;
    start_at(0);
    memset(order, 0, sizeof order);
    hrli_clock_interrupt(note_acknowledged, 7, note_wrapped);
    assert_string_equal(order, "a.w.");
    assert_int_equal(hrlp_irq_lock(), HRLP_IRQ_UNLOCKED);
}

static void test_reading_in_jobs_around_the_wrap(void **state)
{
    (void)state;
    for (hrl_counts start = wrap - SUT_START_COUNTS - 3; start < wrap - SUT_START_COUNTS + 3;
         start++) {
        sut_reset();
        handled = 0;
        hrlp_host_setup.clock_start = start;
        sut_add_releaser((struct sut_releaser){.one_shot = true});
        sut_add_task((struct sut_task){
            .level = 2, .period = sut_period(1000, 1), .cost = 10, .body = check_in_handler});
        assert_string_equal(sut_run(5000), "done");
        assert_int_equal(handled, 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_is_0_before_the_start),
        cmocka_unit_test(test_it_counts_from_the_start),
        cmocka_unit_test(test_it_goes_on_over_many_wraps),
        cmocka_unit_test(test_a_wrap_that_waits_behind_the_lock_counts),
        cmocka_unit_test(test_a_wrap_between_any_two_reads),
        cmocka_unit_test(test_a_wrap_at_each_single_step),
        cmocka_unit_test(test_its_interrupt_counts_and_acknowledges_in_one_step),
        cmocka_unit_test(test_reading_in_jobs_around_the_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
