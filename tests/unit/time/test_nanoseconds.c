/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"
#include "hrlp_host.h"
#include "random.h"
#include "with_cmocka.h"
#include <hrl/time.h>

/* Constant here, but not in the system under test (support/). */
#define hrl_gen_clock_rate hrl_gen_clock_rate_as_declared
#include "nanoseconds.h"
#undef hrl_gen_clock_rate
#include "system_under_test.h"
extern struct hrli_clock_rate hrl_gen_clock_rate;

#define NS 1000000000u
#define HRL_CLOCK_HZ clock_hz

struct board {
    uint32_t hz;
    struct hrli_clock_rate rate;
};

#define BOARD(hz)                                                                                  \
    {                                                                                              \
        hz, HRLI_CLOCK_RATE(hz)                                                                    \
    }

static const struct board boards[] = {BOARD(25000000u), BOARD(7372800u), BOARD(32768u),
                                      BOARD(33333000u), BOARD(10000000u)};
enum { BOARDS = sizeof boards / sizeof boards[0] };
static uint32_t clock_hz;

static void use_board(unsigned board)
{
    hrl_gen_clock_rate = boards[board].rate;
    clock_hz = boards[board].hz;
}

static void leave(void)
{
    use_board(0);
}

static void test_conversion_both_ways(void **state)
{
    struct random random = {7};

    (void)state;
    for (unsigned board = 0; board < BOARDS; board++) {
        use_board(board);
        for (unsigned i = 0; i < 20000; i++) {
            uint64_t ns = (((uint64_t)random_next(&random) << 32) | random_next(&random)) >>
                          (2 + random_below(&random, 60));
            hrl_counts counts = hrl_ns_to_counts(ns);
            unsigned __int128 exact = (unsigned __int128)ns * clock_hz;
            assert_true((unsigned __int128)counts * NS <= exact + ns);
            assert_true((unsigned __int128)(counts + 1) * NS > exact);
            assert_true(hrl_ns_to_counts(ns + 1) >= counts);
            counts = ns / NS;
            ns = hrl_counts_to_ns(counts);
            assert_int_equal(ns, (uint64_t)((unsigned __int128)counts * NS / clock_hz));
        }
    }
    leave();
}

static void test_now_in_nanoseconds(void **state)
{
    (void)state;
    sut_reset();
    assert_int_equal(hrl_now_ns(), hrl_counts_to_ns(hrl_now()));
    hrlp_host_setup.clock_start = ((hrl_counts)3 << 32) + 25;
    hrli_clock_start();
    assert_true(hrl_now_ns() % 1000 == hrl_counts_to_ns(hrl_now()) % 1000);
    hrlp_host_consume(25000000);
    assert_int_equal(hrl_now_ns(), hrl_now() * 40);
}

/* What waits, waits for no less than it was told; what repeats is exact. */
static void check_spans(uint64_t n)
{
    const struct {
        hrl_counts span;
        uint32_t per_second;
    } cases[] = {{HRL_S(n), 1}, {HRL_MS(n), 1000}, {HRL_US(n), 1000000}, {HRL_NS(n), NS}};

    for (unsigned i = 0; i < 4; i++) {
        unsigned __int128 exact = (unsigned __int128)n * clock_hz;
        unsigned __int128 got = (unsigned __int128)cases[i].span * cases[i].per_second;
        assert_true(got >= exact && got - exact < cases[i].per_second);
    }
}

static void check_period(hrl_period period, uint64_t n, uint64_t d)
{
    unsigned __int128 whole = ((unsigned __int128)period.hops << 30) + period.counts;

    assert_true(period.counts >= 1 && period.counts <= (uint32_t)1 << 30);
    assert_true(period.numerator < period.denominator);
    assert_true((whole * period.denominator + period.numerator) * d ==
                (unsigned __int128)n * period.denominator);
}

static void test_spans_and_periods(void **state)
{
    (void)state;
    for (unsigned board = 0; board < BOARDS; board++) {
        static const uint64_t values[] = {1, 2, 3, 7, 10, 999, 1000, 1001, 123456789, 1000000000};

        use_board(board);
        for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++) {
            uint64_t v = values[i];
            check_spans(v);
            check_period(HRL_PERIOD_MS(v), v * clock_hz, 1000);
            check_period(HRL_PERIOD_COUNTS(v), v, 1);
            check_period(HRL_PERIOD_RATIO(v * 7, 3u), v * 7, 3);
            if (v * clock_hz >= 1000000) {
                check_period(HRL_PERIOD_US(v), v * clock_hz, 1000000);
            }
            if (v * clock_hz >= NS) {
                check_period(HRL_PERIOD_NS(v), v * clock_hz, NS);
            }
            if (v <= clock_hz) {
                check_period(HRL_PERIOD_HZ((uint32_t)v), clock_hz, v);
            }
        }
        check_period(HRL_PERIOD_COUNTS((uint64_t)5 << 30), (uint64_t)5 << 30, 1);
    }
    assert_int_equal(HRL_MS(0), 0);
    leave();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conversion_both_ways),
        cmocka_unit_test(test_now_in_nanoseconds),
        cmocka_unit_test(test_spans_and_periods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
