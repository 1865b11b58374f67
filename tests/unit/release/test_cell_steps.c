/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cell_steps.h"
#include "hrlp_host.h"
#include "system_under_test.h"
#include "with_cmocka.h"

/* Cell 0 at level 4 of the machine's controller, as cells of basic tasks are. */
enum { CELL_LEVEL = 4, WHOLE = 1000, NUMERATOR = 2, DENOMINATOR = 3, INTERRUPTS = 400 };
#define FIRST (SUT_START_COUNTS + WHOLE)

static void start_periodic(hrl_stamp first, uint32_t period)
{
    hrlp_host_start_periodic(0, first, period);
}

static void stretch(hrl_stamp due, uint32_t period, bool longer)
{
    hrlp_host_stretch(0, due, period, longer);
}

static const struct hrli_cell_steps_kind kind = {WHOLE, NUMERATOR,      DENOMINATOR,
                                                 true,  start_periodic, stretch};
static struct hrli_cell_steps steps;
static hrl_counts entered[INTERRUPTS];
static unsigned entries;
static hrl_counts cost, every;

/* Instant k, after the clock's start. */
static hrl_counts nominal(hrl_counts k)
{
    return FIRST + k * WHOLE + (k * NUMERATOR + 1) / DENOMINATOR;
}

static void interrupt(void)
{
    if (entries < INTERRUPTS) {
        entered[entries] = hrlp_host_now();
    }
    hrli_cell_steps_interrupt(&steps, &kind);
    if (entries++ % every == 0) {
        hrlp_host_consume(cost); /* as a basic task does */
    }
}

static void start(void *argument)
{
    hrlp_irq_state state = hrlp_irq_lock();

    (void)argument;
    entries = 0;
    sut_cell_handler = interrupt;
    hrlp_host_prepare_at(0, CELL_LEVEL);
    steps = (struct hrli_cell_steps)HRLI_CELL_STEPS_FROM((hrl_stamp)nominal(0), WHOLE, NUMERATOR,
                                                         DENOMINATOR, 1, true);
    hrli_cell_steps_start(&kind, &steps, steps.next);
    hrlp_irq_unlock(state);
}

static void run(hrl_counts each, hrl_counts of, hrl_counts duration)
{
    cost = each;
    every = of;
    sut_reset();
    hrlp_host_setup.limit = 2 * duration;
    sut_start("starter", 1, start, NULL);
    sut_run(duration);
}

static void test_interrupts_come_at_the_instants(void **state)
{
    (void)state;
    run(10, 1, INTERRUPTS * (WHOLE + 1));
    for (unsigned k = 0; k < INTERRUPTS - 2; k++) {
        assert_int_equal(entered[k], nominal(k));
    }
}

/* Whatever a handler took: one that comes late comes when that ends, all others at an instant. */
static void test_after_a_late_one_they_come_at_the_instants_again(void **state)
{
    (void)state;
    for (hrl_counts took = 900; took < 3200; took++) {
        hrl_counts end = 0;
        unsigned k = 0;
        run(took, 5, 100 * (WHOLE + 1));
        assert_in_range(entries, 60, 110);
        for (unsigned i = 0; i < entries; i++) {
            while (nominal(k) < entered[i]) {
                k++;
            }
            assert_true(entered[i] == nominal(k) || entered[i] == end);
            end = i % 5 == 0 ? entered[i] + took : end;
        }
        assert_true(entered[entries - 1] > sut_zero() + (hrl_counts)95 * WHOLE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interrupts_come_at_the_instants),
        cmocka_unit_test(test_after_a_late_one_they_come_at_the_instants_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
