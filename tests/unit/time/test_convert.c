/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "convert.h"
#include "random.h"
#include "with_cmocka.h"
#include <stdbool.h>

/*
 * Against exact arithmetic in 128 bits, over the whole range, for the clocks of the issue and the ends of what
 * is allowed.
 */
#define NS 1000000000u

struct clock {
    uint32_t hz;
    struct hrli_ratio ns_per_count, counts_per_ns;
};

#define CLOCK(hz)                                                                                  \
    {                                                                                              \
        hz, HRLI_NS_PER_COUNT(hz), HRLI_COUNTS_PER_NS(hz)                                          \
    }

static const struct clock clocks[] = {
    CLOCK(25000000u), CLOCK(7372800u), CLOCK(32768u), CLOCK(33333000u),   CLOCK(33333333u),
    CLOCK(1u),        CLOCK(3u),       CLOCK(10u),    CLOCK(1000000000u), CLOCK(999999999u),
};
enum { CLOCKS = sizeof clocks / sizeof clocks[0] };

static const uint64_t century_ns = (uint64_t)100 * 366 * 86400 * NS;

/* The error of `got` for value * n / d is below `tolerance` / d; both sides times d. */
static void check(uint64_t value, struct hrli_ratio ratio, uint32_t n, uint32_t d,
                  unsigned __int128 tolerance)
{
    unsigned __int128 exact = (unsigned __int128)value * n;
    unsigned __int128 got = (unsigned __int128)hrli_scale(value, ratio) * d;
    unsigned __int128 error = got > exact ? got - exact : exact - got;

    assert_true(error < tolerance);
    assert_true(got <= exact || error <= ((unsigned __int128)value * d >> 64) + 1);
}

static void check_around(const struct clock *clock, uint64_t value)
{
    uint64_t counts_most = (uint64_t)((unsigned __int128)century_ns * clock->hz / NS);

    for (uint64_t v = value < 3 ? 0 : value - 3; v < value + 3; v++) {
        if (v < counts_most) { /* below one count: hz counts are NS nanoseconds */
            check(v, clock->ns_per_count, NS, clock->hz, (unsigned __int128)NS);
            assert_true(hrli_scale(v, clock->ns_per_count) <=
                        hrli_scale(v + 1, clock->ns_per_count));
        }
        if (v < century_ns) {
            check(v, clock->counts_per_ns, clock->hz, NS, (unsigned __int128)NS);
            assert_true(hrli_scale(v, clock->counts_per_ns) <=
                        hrli_scale(v + 1, clock->counts_per_ns));
        }
    }
}

static void test_the_error_is_below_one_count_and_time_never_goes_back(void **state)
{
    struct random random = {11};

    (void)state;
    for (size_t i = 0; i < CLOCKS; i++) {
        for (unsigned bit = 0; bit < 62; bit++) {
            check_around(&clocks[i], (uint64_t)1 << bit);
        }
        for (uint64_t seconds = 1; seconds < century_ns / NS; seconds = seconds * 3 + 1) {
            check_around(&clocks[i], seconds * clocks[i].hz);
            check_around(&clocks[i], seconds * NS);
        }
        for (unsigned n = 0; n < 200000; n++) {
            uint64_t value = (uint64_t)random_below(&random, UINT32_MAX) << 32 |
                             random_below(&random, UINT32_MAX);
            check_around(&clocks[i], value >> (2 + random_below(&random, 60)));
        }
    }
}

/* The last values of which both sides are below 2^63. */
static void test_the_ends_of_the_range(void **state)
{
    const uint64_t most = ((uint64_t)1 << 63) - 1u;

    (void)state;
    for (size_t i = 0; i < CLOCKS; i++) {
        const struct clock *clock = &clocks[i];
        uint64_t counts = (uint64_t)((unsigned __int128)most * clock->hz / NS);

        for (uint64_t v = counts - 1000; v < counts; v++) {
            check(v, clock->ns_per_count, NS, clock->hz, (unsigned __int128)NS);
            assert_true(hrli_scale(v, clock->ns_per_count) <=
                        hrli_scale(v + 1, clock->ns_per_count));
        }
        for (uint64_t v = most - 1000; v < most; v++) {
            check(v, clock->counts_per_ns, clock->hz, NS, (unsigned __int128)NS);
            assert_true(hrli_scale(v, clock->counts_per_ns) <=
                        hrli_scale(v + 1, clock->counts_per_ns));
        }
        assert_true(hrli_scale(0, clock->ns_per_count) == 0);
        assert_true(hrli_scale(0, clock->counts_per_ns) == 0);
    }
}

/* There and back is the count again, or the one before it. */
static void test_there_and_back(void **state)
{
    struct random random = {13};

    (void)state;
    for (size_t i = 0; i < CLOCKS; i++) {
        uint64_t most = (uint64_t)((unsigned __int128)century_ns * clocks[i].hz / NS);

        for (unsigned n = 0; n < 100000; n++) {
            uint64_t value = ((uint64_t)random_below(&random, UINT32_MAX) << 32 |
                              random_below(&random, UINT32_MAX)) %
                             most;
            uint64_t ns = hrli_scale(value, clocks[i].ns_per_count);

            assert_in_range(hrli_scale(ns, clocks[i].counts_per_ns), value == 0 ? 0 : value - 1,
                            value);
            assert_in_range(hrli_scale(ns + 1, clocks[i].counts_per_ns), value, value + 1);
        }
    }
}

/* A whole number of seconds is a whole number of both, in both directions. */
static void test_seconds_are_exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < CLOCKS; i++) {
        for (uint64_t seconds = 0; seconds < century_ns / NS; seconds = seconds * 2 + 7) {
            assert_true(hrli_scale(seconds * clocks[i].hz, clocks[i].ns_per_count) == seconds * NS);
            assert_true(hrli_scale(seconds * NS, clocks[i].counts_per_ns) ==
                        seconds * clocks[i].hz);
        }
    }
}

static void test_the_upper_half_of_products(void **state)
{
    struct random random = {12};

    (void)state;
    for (unsigned n = 0; n < 100000; n++) {
        uint64_t a =
            (uint64_t)random_below(&random, UINT32_MAX) << 32 | random_below(&random, UINT32_MAX);
        uint64_t b =
            (uint64_t)random_below(&random, UINT32_MAX) << 32 | random_below(&random, UINT32_MAX);

        assert_true(hrli_multiply_high(a, b) == (uint64_t)((unsigned __int128)a * b >> 64));
    }
    assert_true(hrli_multiply_high(UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_error_is_below_one_count_and_time_never_goes_back),
        cmocka_unit_test(test_the_ends_of_the_range),
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_seconds_are_exact),
        cmocka_unit_test(test_the_upper_half_of_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
