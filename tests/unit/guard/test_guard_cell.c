/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"
#include "guard_cell.h"
#include "hrlp_cell.h"
#include "hrlp_clock.h"
#include "hrlp_host.h"
#include "hrlp_irq.h"
#include "random.h"
#include "stamp.h"
#include "system_under_test.h"
#include "with_cmocka.h"

/* Time is virtual, and wraps soon. The cell is what was asked for last. */
static struct hrli_guard_request requests[HRLI_GUARD_ROLES];
static hrl_stamp armed, zero;
static bool is_armed;

static void arm(hrl_stamp due)
{
    assert_true(hrlp_host_interrupts_off());
    armed = due;
    is_armed = true;
}

static void disarm(void)
{
    assert_true(hrlp_host_interrupts_off());
    is_armed = false;
}

static const struct hrli_guard_cell cell = {requests, arm, disarm};

static void start(void)
{
    sut_reset();
    hrlp_host_setup.clock_start = ((hrl_counts)1 << 32) - 1000;
    hrli_clock_start();
    hrlp_irq_unlock(0);
    for (unsigned role = 0; role < HRLI_GUARD_ROLES; role++) {
        requests[role] = (struct hrli_guard_request){0, false};
    }
    zero = (hrl_stamp)hrlp_host_now();
    is_armed = false;
}

static void ask(enum hrli_guard_role role, uint32_t after)
{
    hrlp_irq_state state = hrlp_irq_lock();

    hrli_guard_cell_arm(&cell, role, zero + after);
    hrlp_irq_unlock(state);
}

static void cancel(enum hrli_guard_role role)
{
    hrlp_irq_state state = hrlp_irq_lock();

    hrli_guard_cell_disarm(&cell, role);
    hrlp_irq_unlock(state);
}

static void assert_armed(uint32_t after)
{
    assert_true(is_armed);
    assert_int_equal(armed - zero, after);
}

static void pass_until(uint32_t after)
{
    hrlp_host_consume(zero + after - (hrl_stamp)hrlp_host_now());
}

static void test_the_cell_is_armed_for_the_sooner_across_the_wrap(void **state)
{
    (void)state;
    start();
    ask(HRLI_GUARD_DEADLINES, 1500); /* behind the wrap */
    assert_armed(1500);
    ask(HRLI_GUARD_BUDGETS, 900);
    assert_armed(900);
    ask(HRLI_GUARD_BUDGETS, 1600);
    assert_armed(1500);
    ask(HRLI_GUARD_DEADLINES, 1700);
    assert_armed(1600);
}

static void test_what_is_cancelled_does_not_interrupt(void **state)
{
    (void)state;
    start();
    cancel(HRLI_GUARD_BUDGETS);
    assert_false(is_armed);
    ask(HRLI_GUARD_DEADLINES, 1500);
    ask(HRLI_GUARD_BUDGETS, 900);
    cancel(HRLI_GUARD_BUDGETS);
    assert_armed(1500);
    cancel(HRLI_GUARD_DEADLINES);
    assert_false(is_armed);
}

static void test_one_instant_serves_both_in_turn(void **state)
{
    (void)state;
    start();
    ask(HRLI_GUARD_BUDGETS, 1200);
    ask(HRLI_GUARD_DEADLINES, 1200);
    assert_false(hrli_guard_cell_take(&cell, HRLI_GUARD_DEADLINES));
    pass_until(1200);
    assert_true(hrli_guard_cell_take(&cell, HRLI_GUARD_DEADLINES));
    assert_armed(1200); /* which interrupts again, at once */
    ask(HRLI_GUARD_DEADLINES, 2200);
    assert_armed(1200);
    assert_false(hrli_guard_cell_take(&cell, HRLI_GUARD_DEADLINES));
    assert_true(hrli_guard_cell_take(&cell, HRLI_GUARD_BUDGETS));
    assert_armed(2200);
    assert_false(hrli_guard_cell_take(&cell, HRLI_GUARD_BUDGETS));
}

static void test_a_budget_alone_leaves_the_deadline(void **state)
{
    (void)state;
    start();
    ask(HRLI_GUARD_DEADLINES, 1500);
    ask(HRLI_GUARD_BUDGETS, 900);
    pass_until(900);
    assert_false(hrli_guard_cell_take(&cell, HRLI_GUARD_DEADLINES));
    assert_true(hrli_guard_cell_take(&cell, HRLI_GUARD_BUDGETS));
    assert_armed(1500);
}

static void test_an_instant_that_has_passed_comes_first(void **state)
{
    (void)state;
    start();
    pass_until(1100);
    ask(HRLI_GUARD_BUDGETS, 1 << 29);
    ask(HRLI_GUARD_DEADLINES, 1000);
    assert_armed(1000);
    assert_true(hrli_guard_cell_take(&cell, HRLI_GUARD_DEADLINES));
    assert_armed(1 << 29);
    ask(HRLI_GUARD_DEADLINES, 1u << 30); /* a hop */
    assert_armed(1 << 29);
    ask(HRLI_GUARD_BUDGETS, 1000);
    assert_armed(1000);
}

/* Any requests: none is early, late or lost, and the cell interrupts for no other. */
static void test_as_two_cells(void **state)
{
    struct random random = {7};
    hrl_stamp due[HRLI_GUARD_ROLES] = {0, 0};
    bool wanted[HRLI_GUARD_ROLES] = {false, false};
    unsigned taken = 0;

    (void)state;
    start();
    for (unsigned turn = 0; turn < 20000; turn++) {
        hrl_stamp now = (hrl_stamp)hrlp_host_now();
        enum hrli_guard_role role =
            random_below(&random, 2) == 0 ? HRLI_GUARD_DEADLINES : HRLI_GUARD_BUDGETS;

        if (random_below(&random, 4) == 0) {
            cancel(role);
            wanted[role] = false;
        } else {
            due[role] = now + random_below(&random, 60) - 5;
            ask(role, due[role] - zero);
            wanted[role] = true;
        }
        hrlp_host_consume(random_below(&random, 30));
        now = (hrl_stamp)hrlp_host_now();
        while (is_armed && !hrli_stamp_after(armed, now)) {
            enum hrli_guard_role serves = hrli_guard_cell_take(&cell, HRLI_GUARD_DEADLINES)
                                              ? HRLI_GUARD_DEADLINES
                                              : HRLI_GUARD_BUDGETS;

            if (serves == HRLI_GUARD_BUDGETS) {
                assert_true(hrli_guard_cell_take(&cell, HRLI_GUARD_BUDGETS));
            }
            now = (hrl_stamp)hrlp_host_now(); /* to read the clock takes time */
            assert_true(wanted[serves]);
            assert_false(hrli_stamp_after(due[serves], now + HRLP_CELL_EARLY_COUNTS));
            wanted[serves] = false;
            taken++;
        }
        for (unsigned one = 0; one < HRLI_GUARD_ROLES; one++) {
            assert_true(!wanted[one] || hrli_stamp_after(due[one], now));
        }
    }
    assert_true(taken > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_cell_is_armed_for_the_sooner_across_the_wrap),
        cmocka_unit_test(test_what_is_cancelled_does_not_interrupt),
        cmocka_unit_test(test_one_instant_serves_both_in_turn),
        cmocka_unit_test(test_a_budget_alone_leaves_the_deadline),
        cmocka_unit_test(test_an_instant_that_has_passed_comes_first),
        cmocka_unit_test(test_as_two_cells),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
