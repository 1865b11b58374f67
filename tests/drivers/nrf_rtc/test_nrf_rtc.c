/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver ports/cell/nrf-rtc over a model of the RTC. Time is the model's; chance decides what the specification leaves
 * open, so that each test is played many times. Nothing here says what a chip does.
 */
#include "hrlp_nrf_rtc.h"
#include "rtc_model.h"
#include "with_cmocka.h"

enum { GAMES = 8000, MOST_LOGGED = 64, CELL = 0, OTHER = 3 };

/* Counts after an instant at which its interrupt comes at the latest: see "How late" of the driver; 1 for the handler. */
enum { LATE = HRLP_NRF_RTC_LATE_COUNTS };

static struct {
    hrl_stamp at_start;          /* the clock then */
    unsigned fired, wraps, idle; /* idle: calls of the handler in which nothing had fired */
    uint64_t at[MOST_LOGGED];    /* counts */
    void (*then)(unsigned n);    /* called when the cell has fired and was acknowledged */
} game;

static hrl_stamp stamp_of(uint64_t counts)
{
    return game.at_start + (hrl_stamp)counts;
}

/* The clock starts at `counter`, and reads `half` more. */
static void start_at(uint32_t counter, uint32_t half, uint64_t seed)
{
    rtc_reset(counter, seed * 0x9E3779B97F4A7C15u);
    hrlp_nrf_rtc_clock = (struct hrlp_nrf_rtc_clock){half, 0};
    hrlp_nrf_rtc_cell_0 = hrlp_nrf_rtc_cell_1 = hrlp_nrf_rtc_cell_3 =
        (struct hrlp_nrf_rtc_cell){0, 0};
    game.at_start = half + ((counter - half) & HRLP_NRF_RTC_MASK);
    game.fired = game.wraps = game.idle = 0;
    game.then = NULL;
    hrlp_clock_start();
    hrlp_nrf_rtc_prepare(CELL, HRLP_IRQ_OF_CELLS);
}

static void start(uint64_t seed)
{
    start_at(1000, 0, seed);
    rtc_set_pace(4, 4);
    rtc_pass((10 + rtc_chance(10)) * RTC_PARTS + rtc_chance(RTC_PARTS), false);
}

/* As generated code has it where the clock and its cells share a line. */
static void handle(void)
{
    unsigned before = game.fired + game.wraps;

    if (hrlp_clock_wrap_pending()) {
        game.wraps++;
        hrlp_nrf_rtc_acknowledge(HRLP_NRF_RTC_CLOCK);
    }
    if (hrlp_nrf_rtc_fired(CELL)) {
        assert_in_range(game.fired, 0, MOST_LOGGED - 1);
        game.at[game.fired++] = rtc_counts();
        hrlp_nrf_rtc_acknowledge(CELL);
        if (game.then != NULL) {
            game.then(game.fired - 1);
        }
    }
    game.idle += game.fired + game.wraps == before;
}

/* The handler is called whenever the line is up, until so many counts have gone by. */
static void run(uint64_t counts)
{
    uint64_t end = rtc_counts() + counts;

    while (rtc_counts() < end) {
        rtc_pass((end - rtc_counts()) * RTC_PARTS, true);
        if (rtc_is_up()) {
            handle();
        }
    }
}

static void assert_at(unsigned n, uint64_t due, uint64_t late)
{
    assert_in_range(game.at[n], due, due + late);
}

static void test_an_instant_ahead_or_past_interrupts_once(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GAMES; seed++) {
        uint64_t armed, due;

        start(seed);
        armed = rtc_counts();
        due = armed + 6 - rtc_chance(12);
        hrlp_nrf_rtc_arm(CELL, stamp_of(due));
        run(40);
        assert_int_equal(game.fired, 1);
        assert_at(0, due > armed ? due : armed, LATE);
    }
}

static void test_interruptions_while_it_is_armed_lose_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GAMES; seed++) {
        uint64_t due;

        start(seed);
        rtc_set_pace(RTC_PARTS / 2, 5 * RTC_PARTS);
        due = rtc_counts() + 1 + rtc_chance(10);
        hrlp_nrf_rtc_arm(CELL, stamp_of(due));
        run(200);
        assert_int_equal(game.fired, 1);
        assert_true(game.at[0] >= due);
    }
}

/* The instant that stood before may fire up to two counts after it was replaced; every other game is interrupted. */
static void test_what_is_armed_anew_replaces_what_was_armed(void **state)
{
    unsigned near = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= GAMES; seed++) {
        uint64_t armed, due;
        bool passed;

        start(seed);
        if (seed % 2 == 0) {
            rtc_set_pace(RTC_PARTS / 2, 5 * RTC_PARTS);
        }
        due = rtc_counts() + 2 + rtc_chance(8);
        hrlp_nrf_rtc_arm(CELL, stamp_of(due));
        rtc_pass(rtc_chance(12 * RTC_PARTS), false);
        armed = rtc_counts();
        near += armed < due && due - armed <= 2;
        passed = armed > due + 4 && seed % 2 != 0;
        due = armed + rtc_chance(12);
        hrlp_nrf_rtc_arm(CELL, stamp_of(due));
        assert_false(passed && due > armed + 4 && rtc_is_up()); /* forgotten at once */
        run(100);
        assert_int_equal(game.fired, 1);
        assert_at(0, due, seed % 2 == 0 ? 60 : LATE);
    }
    assert_true(near > GAMES / 20); /* else nothing was tried */
}

static void test_what_is_disarmed_does_not_interrupt(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GAMES; seed++) {
        start(seed);
        hrlp_nrf_rtc_arm(CELL, stamp_of(rtc_counts() + 4 + rtc_chance(8)));
        rtc_pass(rtc_chance(3 * RTC_PARTS), false);
        hrlp_nrf_rtc_disarm(CELL);
        run(40);
        assert_int_equal(game.fired, 0);
    }
}

static void test_the_farthest_instant_is_not_early(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        start(seed);
        hrlp_nrf_rtc_arm(CELL, stamp_of(rtc_counts() + HRLP_NRF_RTC_MASK - 2u));
        run(1000);
        assert_int_equal(game.fired, 0);
    }
}

/* Another cell of the same line is armed all the time. */
static void test_a_periodic_cell_interrupts_at_each_instant(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GAMES / 4; seed++) {
        uint32_t period = 8 + rtc_chance(24);
        uint64_t first;

        start(seed);
        hrlp_nrf_rtc_arm(OTHER, stamp_of(rtc_counts() + 100000));
        first = rtc_counts() + HRLP_CELL_START_COUNTS + rtc_chance(20);
        hrlp_nrf_rtc_start_periodic(CELL, stamp_of(first), period);
        run(first - rtc_counts() + 20 * period + LATE);
        assert_int_equal(game.fired, 21);
        assert_int_equal(game.idle, 0);
        for (unsigned n = 0; n < game.fired; n++) {
            assert_at(n, first + n * period, 1);
        }
    }
}

/* Interrupts are masked for several periods: the last instant is served, and those after it come in phase. */
static void test_a_periodic_cell_that_is_late_goes_on_in_phase(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GAMES / 4; seed++) {
        uint32_t period = 8 + rtc_chance(24);
        uint64_t first, masked;
        unsigned before;

        start(seed);
        first = rtc_counts() + 5;
        hrlp_nrf_rtc_start_periodic(CELL, stamp_of(first), period);
        run(3 * period);
        rtc_pass((uint64_t)(period * (1 + rtc_chance(4)) + rtc_chance(period)) * RTC_PARTS, false);
        masked = rtc_counts();
        before = game.fired;
        run(2 * LATE); /* what has passed is served, in one interrupt or two */
        assert_in_range(game.fired - before, 1, 3);
        before = game.fired;
        run(10 * period);
        assert_in_range(game.fired - before, 9, 11);
        for (unsigned n = before; n < game.fired; n++) {
            assert_true(game.at[n] > masked);
            assert_in_range((game.at[n] - first) % period, 0, LATE);
        }
    }
}

static struct {
    uint64_t due;
    uint32_t period;
} stretched;

/* Every other interval is a count longer. */
static void stretch(unsigned n)
{
    bool longer = n % 2 != 0;

    assert_at(n, stretched.due, 1);
    stretched.due += stretched.period + longer;
    hrlp_nrf_rtc_stretch(CELL, stamp_of(stretched.due), stretched.period, longer);
}

static void test_an_interval_can_be_a_count_longer(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GAMES / 4; seed++) {
        start(seed);
        stretched.period = 8 + rtc_chance(24);
        stretched.due = rtc_counts() + 5;
        hrlp_nrf_rtc_start_periodic(CELL, stamp_of(stretched.due), stretched.period);
        game.then = stretch;
        run(20 * stretched.period);
        assert_in_range(game.fired, 19, 20);
    }
}

/* An interval that is over does not end a second time. */
static void test_stretching_at_the_end_loses_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GAMES; seed++) {
        uint64_t first;

        start(seed);
        first = rtc_counts() + 5;
        hrlp_nrf_rtc_start_periodic(CELL, stamp_of(first), 20);
        rtc_pass((first - rtc_counts()) * RTC_PARTS - rtc_chance(3 * RTC_PARTS), false);
        hrlp_nrf_rtc_stretch(CELL, stamp_of(first + 1), 20, true);
        run(15);
        assert_int_equal(game.fired, 1);
        assert_at(0, first, LATE);
        run(20);
        assert_int_equal(game.fired, 2);
    }
}

static void test_forgotten_instants_do_not_interrupt_and_the_next_does(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GAMES / 4; seed++) {
        uint32_t period = 10 + rtc_chance(20);
        uint64_t first, next;

        start(seed);
        first = rtc_counts() + 5;
        hrlp_nrf_rtc_start_periodic(CELL, stamp_of(first), period);
        rtc_pass((uint64_t)(6 + rtc_chance(4 * period)) * RTC_PARTS + rtc_chance(RTC_PARTS), false);
        next = first + ((rtc_counts() - first) / period + 1) * period;
        hrlp_nrf_rtc_forget(CELL);
        if (rtc_counts() < next) { /* else it has come meanwhile, and may be served or forgotten */
            run(next - rtc_counts() + LATE);
            assert_int_equal(game.fired, 1);
            assert_at(0, next, LATE);
        }
    }
}

static void test_an_instant_that_has_passed_is_forgotten(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GAMES / 4; seed++) {
        start(seed);
        hrlp_nrf_rtc_arm(CELL, stamp_of(rtc_counts() + 4));
        rtc_pass(8 * RTC_PARTS, false);
        assert_true(rtc_is_up());
        hrlp_nrf_rtc_forget(CELL);
        assert_false(rtc_is_up());
        run(40);
        assert_int_equal(game.fired, 0);
    }
}

static void test_the_clock_does_not_go_back_at_a_half(void **state)
{
    static const uint32_t halves[] = {0x00000000u, 0x7F000000u, 0xFF000000u};

    (void)state;
    for (uint64_t seed = 1; seed <= GAMES / 4; seed++) {
        hrl_stamp last;

        start_at(HRLP_NRF_RTC_HALF_COUNTS - 20, halves[seed % 3], seed);
        last = hrlp_clock_read();
        while (rtc_counts() < 60) {
            hrl_stamp now;

            rtc_pass(rtc_chance(2 * RTC_PARTS), false);
            if (rtc_is_up() && rtc_chance(4) == 0) { /* served late */
                handle();
            }
            now = hrlp_clock_read();
            assert_in_range((int32_t)(now - last), 0, 4);
            assert_in_range((int32_t)(stamp_of(rtc_counts()) - now), 0, 1);
            last = now;
        }
        assert_int_equal(game.wraps, 0);
    }
}

/* Half a turn: the comparison for the end of the second half was written at the end of the first. */
static void test_both_halves_are_counted(void **state)
{
    (void)state;
    start_at(HRLP_NRF_RTC_HALF_COUNTS - 20, 0, 1);
    run(HRLP_NRF_RTC_HALF_COUNTS + 100);
    assert_int_equal(hrlp_nrf_rtc_clock.half, 2 * HRLP_NRF_RTC_HALF_COUNTS);
    assert_in_range(hrlp_clock_read() - stamp_of(rtc_counts()), 0, 0);
    assert_int_equal(game.wraps, 0);
}

static void test_the_kernel_is_told_of_each_2_to_the_32_once(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GAMES / 4; seed++) {
        start_at(HRLP_NRF_RTC_MASK - 20, 0xFF800000u, seed);
        rtc_store(HRLP_NRF_RTC_CC(HRLP_NRF_RTC_HALF), 0); /* as the half before has left it */
        assert_false(hrlp_clock_wrap_pending());
        run(60);
        assert_int_equal(game.wraps, 1);
        assert_int_equal(hrlp_clock_read() - stamp_of(rtc_counts()), 0);
        assert_true(hrlp_clock_read() < 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_instant_ahead_or_past_interrupts_once),
        cmocka_unit_test(test_interruptions_while_it_is_armed_lose_nothing),
        cmocka_unit_test(test_what_is_armed_anew_replaces_what_was_armed),
        cmocka_unit_test(test_what_is_disarmed_does_not_interrupt),
        cmocka_unit_test(test_the_farthest_instant_is_not_early),
        cmocka_unit_test(test_a_periodic_cell_interrupts_at_each_instant),
        cmocka_unit_test(test_a_periodic_cell_that_is_late_goes_on_in_phase),
        cmocka_unit_test(test_an_interval_can_be_a_count_longer),
        cmocka_unit_test(test_stretching_at_the_end_loses_nothing),
        cmocka_unit_test(test_forgotten_instants_do_not_interrupt_and_the_next_does),
        cmocka_unit_test(test_an_instant_that_has_passed_is_forgotten),
        cmocka_unit_test(test_both_halves_are_counted),
        cmocka_unit_test(test_the_clock_does_not_go_back_at_a_half),
        cmocka_unit_test(test_the_kernel_is_told_of_each_2_to_the_32_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
