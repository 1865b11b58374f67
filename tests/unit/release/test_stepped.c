/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "stepped.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <string.h>

static const hrl_counts wrap = (hrl_counts)1 << 32;

/* floor(k * numerator / denominator) */
static hrl_counts instant(hrl_counts k, hrl_counts numerator, hrl_counts denominator)
{
    return k * numerator / denominator;
}

/* A releaser on cell `i` with a period of so many counts. */
static struct sut_releaser every(uint32_t numerator, uint32_t denominator)
{
    return (struct sut_releaser){.cell_period = numerator / denominator,
                                 .numerator = numerator % denominator,
                                 .denominator = denominator};
}

/* All interrupts of cell `i` until now came at its instants, and served them. */
static void check_interrupts(unsigned cell, size_t count, uint32_t numerator, uint32_t denominator)
{
    assert_int_equal(sut_count('I', cell), count);
    for (size_t k = 0; k < count; k++) {
        assert_int_equal(sut_nth('I', cell, k)->at,
                         sut_zero() + instant(k, numerator, denominator));
        assert_int_equal(sut_nth('V', cell, k)->value,
                         sut_zero() + instant(k, numerator, denominator));
    }
}

static void test_it_interrupts_at_the_whole_counts_of_its_instants(void **state)
{
    static const uint32_t periods[][2] = {{25000, 3}, {50000, 3}, {1000, 7},    {999, 2},
                                          {1001, 1},  {6999, 7},  {100001, 99}, {3999, 4}};

    (void)state;
    for (unsigned i = 0; i < sizeof periods / sizeof periods[0]; i++) {
        for (unsigned cell = 0; cell < SUT_RELEASERS; cell++) {
            uint32_t numerator = periods[i][0], denominator = periods[i][1];
            sut_reset();
            hrlp_host_setup.clock_start = wrap - SUT_START_COUNTS - 3000; /* the stamp wraps */
            for (unsigned k = 0; k <= cell; k++) {
                sut_add_releaser(every(numerator, denominator));
            }
            sut_add_task((struct sut_task){.releaser = cell,
                                           .level = 1,
                                           .period = sut_period(3 * numerator, denominator),
                                           .cost = 10});
            sut_run(instant(300, numerator, denominator));
            check_interrupts(cell, 300, numerator, denominator);
            assert_int_equal(sut_count('R', 0), 100);
            for (unsigned k = 0; k < 100; k++) {
                assert_int_equal(sut_nth('R', 0, k)->value,
                                 sut_zero() + instant(3 * k, numerator, denominator));
            }
        }
    }
}

static hrl_counts masked_counts;
/* How far apart the lengths are that are tried. A prime: they fall on every phase of a period. "soak" tries each. */
static hrl_counts lengths_apart = 7;

static void masked(void)
{
    hrlp_irq_state state = hrlp_irq_lock();

    hrlp_host_consume(masked_counts);
    hrlp_irq_unlock(state);
}

/* However long interrupts are masked: each instant is served, and later ones are in phase. */
static void test_late_handlers_leave_no_trace(void **state)
{
    enum { NUMERATOR = 3001, DENOMINATOR = 3, EVERY = 7, SPAN = 200 };

    (void)state;
    for (unsigned cell = 0; cell < SUT_RELEASERS; cell++) {
        for (masked_counts = 980; masked_counts < 2300; masked_counts += lengths_apart) {
            hrl_counts end = 0;
            size_t served;
            sut_reset();
            for (unsigned k = 0; k <= cell; k++) {
                sut_add_releaser(every(NUMERATOR, DENOMINATOR));
            }
            sut_add_task((struct sut_task){.releaser = cell,
                                           .level = 1,
                                           .period = sut_period(EVERY * NUMERATOR, DENOMINATOR),
                                           .body = masked,
                                           .cost = 1});
            sut_run(instant(SPAN, NUMERATOR, DENOMINATOR));
            served = sut_count('V', cell);
            assert_int_equal(served, SPAN);
            for (size_t k = 0; k < served; k++) {
                const struct sut_event *event = sut_nth('V', cell, k);
                hrl_counts nominal = sut_zero() + instant(k, NUMERATOR, DENOMINATOR);
                if (k % EVERY == 0) {
                    end = nominal + masked_counts + 20;
                }
                assert_int_equal(event->value, nominal);
                assert_in_range(event->at + HRLP_CELL_EARLY_COUNTS, nominal,
                                nominal < end ? end + HRLP_CELL_EARLY_COUNTS
                                              : nominal + HRLP_CELL_EARLY_COUNTS);
            }
        }
    }
}

static unsigned inserts;
static hrl_counts some_inserts_are_long(void)
{
    return inserts++ % 5 == 4 ? masked_counts : 3;
}

/* Handlers that a thread's insertion defers. */
static void test_deferred_handlers_leave_no_trace(void **state)
{
    enum { NUMERATOR = 3001, DENOMINATOR = 3, SPAN = 200 };

    (void)state;
    for (unsigned cell = 0; cell < SUT_RELEASERS; cell++) {
        for (masked_counts = 700; masked_counts < 2600; masked_counts += lengths_apart) {
            size_t served;
            sut_reset();
            inserts = 0;
            sut_insert_counts = some_inserts_are_long;
            hrlp_host_setup.cells_early = (unsigned)(masked_counts % 3);
            for (unsigned k = 0; k <= cell; k++) {
                sut_add_releaser(every(NUMERATOR, DENOMINATOR));
            }
            for (unsigned t = 0; t < 3; t++) {
                sut_add_task(
                    (struct sut_task){.releaser = cell,
                                      .level = 1 + t,
                                      .period = sut_period((2 + t) * NUMERATOR, DENOMINATOR),
                                      .cost = 20});
            }
            sut_run(instant(SPAN, NUMERATOR, DENOMINATOR));
            served = sut_count('V', cell);
            assert_in_range(served, SPAN,
                            SPAN + 4); /* what it takes to become idle is beyond the window */
            for (size_t k = 0; k < served; k++) {
                const struct sut_event *event = sut_nth('V', cell, k);
                hrl_counts nominal = sut_zero() + instant(k, NUMERATOR, DENOMINATOR);
                assert_int_equal(event->value, nominal);
                assert_in_range(event->at + HRLP_CELL_EARLY_COUNTS, nominal,
                                nominal + 3 * masked_counts);
            }
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_interrupts_at_the_whole_counts_of_its_instants),
        cmocka_unit_test(test_late_handlers_leave_no_trace),
        cmocka_unit_test(test_deferred_handlers_leave_no_trace),
    };
    if (argc == 2 && strcmp(argv[1], "soak") == 0) {
        lengths_apart = 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
