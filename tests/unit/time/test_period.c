/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "period.h"
#include "random.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <string.h>

static uint32_t steps_of_long_spans = 3000000;

/* floor(fraction / denominator + k * numerator / denominator), the whole part's low 32 bits. */
static hrl_stamp exact(uint64_t numerator, uint32_t denominator, uint32_t fraction, uint64_t k)
{
    return (hrl_stamp)(((unsigned __int128)numerator * k + fraction) / denominator);
}

/* The kernel's way to the next release, hops included. */
static hrl_stamp step(struct hrli_period *period, hrl_stamp stamp)
{
    stamp += period->hops * HRLI_PERIOD_HOP_COUNTS;
    return hrli_period_advance(period, stamp);
}

static void check(uint64_t numerator, uint32_t denominator, uint32_t fraction, uint32_t steps)
{
    struct hrli_period period = sut_period(numerator, denominator);
    hrl_stamp stamp = 0;

    period.accumulated = fraction;
    for (uint32_t k = 1; k <= steps; k++) {
        stamp = step(&period, stamp);
        if (k < 1000 || k % 997 == 0 || k == steps) {
            assert_int_equal(stamp, exact(numerator, denominator, fraction, k));
        }
    }
}

static void test_whole_periods(void **state)
{
    (void)state;
    check(25000, 1, 0, 1000000);
    check(1, 1, 0, 1000);
}

static void test_a_third_of_a_millisecond_at_25_mhz_for_long(void **state)
{
    (void)state;
    check(25000, 3, 0, steps_of_long_spans);
}

static void test_awkward_fractions_for_long(void **state)
{
    (void)state;
    check(32768, 1000, 0, steps_of_long_spans);           /* 1 ms of a watch crystal */
    check(1000000007, 998244353, 0, steps_of_long_spans); /* primes, just above one count */
    check(4294967293, 2147483647, 2147483646, steps_of_long_spans); /* the largest denominator */
}

static void test_an_offset_with_a_fraction(void **state)
{
    (void)state;
    for (uint32_t fraction = 0; fraction < 7; fraction++) {
        check(100, 7, fraction, 10000);
    }
}

static void test_periods_beyond_a_hop(void **state)
{
    (void)state;
    check((uint64_t)1 << 30, 1, 0, 100);
    check(((uint64_t)7 << 30) * 3 + 1, 3, 2, 100000);
    check(UINT64_C(25000000) * 3600 * 24 * 365, 1, 0, 100); /* a year */
}

static void test_random_periods(void **state)
{
    struct random random = {2};

    (void)state;
    for (int i = 0; i < 300; i++) {
        uint32_t denominator = random_between(&random, 1, 0x7FFFFFFF) >> random_below(&random, 31);
        uint64_t numerator = ((uint64_t)random_next(&random) << 20) + random_next(&random);
        denominator = denominator == 0 ? 1 : denominator;
        numerator += denominator;
        check(numerator, denominator, random_below(&random, denominator), 1000);
    }
}

/* To skip is to step as often as it fits, at once. */
static void check_skip(struct hrli_period period, hrl_counts span)
{
    uint64_t whole = ((uint64_t)period.hops << 30) + period.counts;
    unsigned __int128 each = (unsigned __int128)whole * period.denominator + period.numerator;
    unsigned __int128 ends = (unsigned __int128)(span + 1) * period.denominator;
    uint64_t exact_number = (uint64_t)((ends - 1 - period.accumulated) / each);
    unsigned __int128 end = each * exact_number + period.accumulated;
    uint64_t number = 12345;

    assert_int_equal(hrli_period_skip(&period, span, &number),
                     (hrl_counts)(end / period.denominator));
    assert_int_equal(number, exact_number);
    assert_int_equal(period.accumulated, (uint32_t)(end % period.denominator));
}

static void test_skipping_is_stepping(void **state)
{
    struct random random = {5};

    (void)state;
    check_skip(sut_period(1, 1), 0);
    check_skip(sut_period(1, 1), INT64_MAX);
    check_skip(sut_period(3, 2), INT64_MAX);
    check_skip(sut_period(1000, 3), ((hrl_counts)1000 << 32) + 12345);
    for (int i = 0; i < 200000; i++) {
        uint32_t denominator = random_between(&random, 1, 0x7FFFFFFF) >> random_below(&random, 31);
        uint64_t numerator = ((uint64_t)random_next(&random) << 20) >> random_below(&random, 40);
        hrl_counts span = ((uint64_t)random_next(&random) << 31) + random_next(&random);
        struct hrli_period period;

        denominator = denominator == 0 ? 1 : denominator;
        period = sut_period(numerator + denominator, denominator);
        period.accumulated = random_below(&random, denominator);
        check_skip(period, span >> random_below(&random, 63));
    }
}

static void test_skipping_a_whole_period_without_a_denominator(void **state)
{
    struct hrli_period period = {.counts = 10};
    uint64_t number;

    (void)state;
    assert_int_equal(hrli_period_skip(&period, 1009, &number), 1000);
    assert_int_equal(number, 100);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_periods),
        cmocka_unit_test(test_a_third_of_a_millisecond_at_25_mhz_for_long),
        cmocka_unit_test(test_awkward_fractions_for_long),
        cmocka_unit_test(test_an_offset_with_a_fraction),
        cmocka_unit_test(test_periods_beyond_a_hop),
        cmocka_unit_test(test_random_periods),
        cmocka_unit_test(test_skipping_is_stepping),
        cmocka_unit_test(test_skipping_a_whole_period_without_a_denominator),
    };
    if (argc > 1 && strcmp(argv[1], "soak") == 0) {
        steps_of_long_spans = 1000000000;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
