/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "releaser.h"
#include "system_under_test.h"
#include "with_cmocka.h"

/* What all releasers share, whatever their mode: several of them, and the dispatch after them. */

static void mixed(bool first_one_shot, bool second_one_shot)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = first_one_shot, .cell_period = 1000});
    sut_add_releaser((struct sut_releaser){.one_shot = second_one_shot, .cell_period = 1000});
}

/*
 * Both cells expire at one instant. The first releases the less urgent task; it must not run, not for one
 * instruction, before the second has released the more urgent one.
 */
static void test_releases_of_one_instant_on_two_cells_precede_any_dispatch(void **state)
{
    (void)state;
    for (int modes = 0; modes < 4; modes++) {
        mixed(modes & 1, modes & 2);
        sut_add_task((struct sut_task){
            .releaser = 0, .level = 1, .period = sut_period(1000, 1), .cost = 100});
        sut_add_task((struct sut_task){
            .releaser = 1, .level = 2, .period = sut_period(1000, 1), .cost = 100});
        sut_run(5000);
        for (unsigned k = 0; k < 5; k++) {
            const struct sut_event *low = sut_nth('R', 0, k);
            const struct sut_event *high = sut_nth('R', 1, k);
            const struct sut_event *first_job = sut_nth('S', 1, k);
            const struct sut_event *second_job = sut_nth('S', 0, k);
            assert_true(low < high && high < first_job && first_job < second_job);
            assert_int_equal(first_job->at, sut_zero() + 1000 * k);
            assert_int_equal(second_job->at, sut_zero() + 1000 * k + 100);
        }
    }
}

/* The same while a third, least urgent task runs: one preemption, straight to the most urgent. */
static void test_the_same_from_a_running_job(void **state)
{
    (void)state;
    for (int modes = 0; modes < 4; modes++) {
        mixed(modes & 1, modes & 2);
        sut_add_task((struct sut_task){
            .releaser = 0, .level = 2, .offset = 1000, .period = sut_period(3000, 1), .cost = 100});
        sut_add_task((struct sut_task){
            .releaser = 1, .level = 3, .offset = 1000, .period = sut_period(3000, 1), .cost = 100});
        sut_add_task((struct sut_task){
            .releaser = 1, .level = 1, .period = sut_period(3000, 1), .cost = 1500});
        sut_run(3000);
        assert_int_equal(sut_nth('S', 1, 0)->at, sut_zero() + 1000);
        assert_int_equal(sut_nth('S', 0, 0)->at, sut_zero() + 1100);
        assert_int_equal(sut_nth('E', 2, 0)->at, sut_zero() + 1700);
    }
}

static void test_releases_note_their_instant(void **state)
{
    (void)state;
    mixed(false, true);
    sut_add_task((struct sut_task){
        .releaser = 1, .level = 2, .offset = 300, .period = sut_period(700, 1), .cost = 10});
    sut_run(1200);
    assert_int_equal(sut_periodic(0)->waiter.released, (hrl_stamp)(sut_zero() + 1000));
    assert_int_equal(sut_releaser_of(1)->served, (hrl_stamp)(sut_zero() + 1000));
    assert_int_equal(sut_releaser_of(0)->served, (hrl_stamp)(sut_zero() + 1000));
}

static void test_tasks_of_one_instant_are_released_in_their_order(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        sut_reset();
        sut_add_releaser((struct sut_releaser){.one_shot = mode != 0, .cell_period = 1000});
        for (unsigned i = 0; i < 20; i++) {
            sut_add_task((struct sut_task){.level = 1, .period = sut_period(1000, 1), .cost = 10});
        }
        sut_run(10000);
        for (unsigned k = 0; k < 10; k++) {
            for (unsigned i = 0; i < 20; i++) {
                assert_int_equal(sut_nth('S', i, k)->at, sut_zero() + 1000 * k + 10 * i);
            }
        }
    }
}

/* ---- interrupts of the application ------------------------------------------------------------ */

static hrl_counts asked_for, came;

static hrl_counts a_count(void)
{
    return 1;
}

static void come(void)
{
    came = hrlp_host_now();
}

static void ask(void *instant)
{
    asked_for = sut_zero() + (hrl_counts)(uintptr_t)instant;
    sut_interrupt_in(asked_for - hrlp_host_now(), come);
}

/* How late the handler is; port calls take a count each, so that many releases take long. */
static hrl_counts lateness(struct sut_releaser releaser, uintptr_t instant)
{
    sut_reset();
    hrlp_host_setup.port_call_counts = a_count;
    sut_add_releaser(releaser);
    for (unsigned i = 0; i < 40; i++) {
        sut_add_task((struct sut_task){.level = 1 + i % 8, .period = sut_period(3000, 1)});
    }
    came = 0;
    (void)sut_start("asker", 9, ask, (void *)instant);
    assert_string_equal(sut_run(6000), "done");
    assert_int_equal(sut_count('E', 0), 2);
    assert_true(came >= asked_for);
    return came - asked_for;
}

static void test_an_interrupt_waits_for_a_piece_of_the_releases_only(void **state)
{
    enum sut_store stores[] = {SUT_SORTED_LIST, SUT_UNSORTED_LIST, SUT_HARMONIC_ARRAY,
                               SUT_PERIOD_GROUPS, SUT_MASK_TABLE};
    unsigned count = HRL_RELEASE_MASKS ? 5 : 3;

    (void)state;
    for (unsigned i = 0; i < count; i++) {
        for (int one_shot = 0; one_shot < 2; one_shot++) {
            struct sut_releaser releaser = {
                .store = stores[i], .one_shot = one_shot != 0, .cell_period = 3000};
            if (one_shot && (stores[i] == SUT_UNSORTED_LIST || stores[i] == SUT_HARMONIC_ARRAY)) {
                continue;
            }
            for (uintptr_t instant = 3000; instant < 3100; instant++) {
                assert_in_range(lateness(releaser, instant), 0, 8); /* all of them: 85 */
            }
        }
    }
}

static void test_a_releaser_without_tasks(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        sut_reset();
        sut_add_releaser((struct sut_releaser){.one_shot = mode != 0, .cell_period = 1000});
        assert_string_equal(sut_run(10000), "done");
        assert_int_equal(sut_count('I', 0), mode != 0 ? 0 : 10);
    }
}

/* None ends shortly before the instant, and none is longer than the cell times. */
static void test_hops_are_even(void **state)
{
    const uint32_t span = 1000;

    (void)state;
    for (uint32_t left = span + 1; left < 5 * span; left++) {
        const uint32_t stride = hrli_releaser_stride(left, span);

        assert_in_range(stride, span / 2, span);
        assert_true(left - stride >= span / 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_releases_of_one_instant_on_two_cells_precede_any_dispatch),
        cmocka_unit_test(test_the_same_from_a_running_job),
        cmocka_unit_test(test_releases_note_their_instant),
        cmocka_unit_test(test_tasks_of_one_instant_are_released_in_their_order),
        cmocka_unit_test(test_an_interrupt_waits_for_a_piece_of_the_releases_only),
        cmocka_unit_test(test_hops_are_even),
        cmocka_unit_test(test_a_releaser_without_tasks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
