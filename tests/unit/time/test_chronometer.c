/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"
#include "hrlp_host.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/chronometer.h>

static void start_clock(void)
{
    sut_reset();
    hrlp_host_setup.clock_start = ((hrl_counts)1 << 32) - 50; /* it wraps */
    hrli_clock_start();
    hrlp_irq_unlock(0);
}

static void test_one_of_zeros_stands_at_0(void **state)
{
    struct hrl_chronometer chronometer = {0};

    (void)state;
    start_clock();
    hrlp_host_consume(10);
    assert_int_equal(hrl_chronometer_read(&chronometer), 0);
    assert_int_equal(hrl_chronometer_lap(&chronometer), 0);
    assert_int_equal(hrl_chronometer_stop(&chronometer), 0);
    hrl_chronometer_resume(&chronometer);
    hrlp_host_consume(10);
    assert_int_equal(hrl_chronometer_read(&chronometer), 10);
}

static void test_start_lap_stop_read(void **state)
{
    struct hrl_chronometer chronometer;

    (void)state;
    start_clock();
    hrl_chronometer_start(&chronometer);
    assert_int_equal(hrl_chronometer_read(&chronometer), 0);
    hrlp_host_consume(100);
    assert_int_equal(hrl_chronometer_read(&chronometer), 100);
    assert_int_equal(hrl_chronometer_read_ns(&chronometer), 4000);
    hrlp_host_consume(20);
    assert_int_equal(hrl_chronometer_lap(&chronometer), 120);
    hrlp_host_consume(7);
    assert_int_equal(hrl_chronometer_lap(&chronometer), 7);
    assert_int_equal(hrl_chronometer_lap(&chronometer), 0);
    hrlp_host_consume((hrl_counts)9 << 32);
    assert_int_equal(hrl_chronometer_stop(&chronometer), 127 + ((hrl_counts)9 << 32));
    hrlp_host_consume(1000);
    assert_int_equal(hrl_chronometer_read(&chronometer), 127 + ((hrl_counts)9 << 32));
    assert_int_equal(hrl_chronometer_lap(&chronometer), (hrl_counts)9 << 32);
    assert_int_equal(hrl_chronometer_stop(&chronometer), 127 + ((hrl_counts)9 << 32));
    hrl_chronometer_start(&chronometer);
    hrlp_host_consume(5);
    assert_int_equal(hrl_chronometer_lap(&chronometer), 5);
}

static void test_it_goes_on_where_it_stopped(void **state)
{
    struct hrl_chronometer chronometer;

    (void)state;
    start_clock();
    hrl_chronometer_start(&chronometer);
    hrlp_host_consume(100);
    (void)hrl_chronometer_stop(&chronometer);
    hrlp_host_consume(1000);
    hrl_chronometer_resume(&chronometer);
    hrlp_host_consume(11);
    hrl_chronometer_resume(&chronometer); /* it runs anyway */
    assert_int_equal(hrl_chronometer_lap(&chronometer), 111);
    assert_int_equal(hrl_chronometer_stop(&chronometer), 111);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_of_zeros_stands_at_0),
        cmocka_unit_test(test_start_lap_stop_read),
        cmocka_unit_test(test_it_goes_on_where_it_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
