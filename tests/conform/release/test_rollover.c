/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_host_jobs.h"
#include "hrlp_host_machine.h"
#include "hrlp_irq.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/thread.h>
#include <hrl/time.h>
#include <string.h>

/*
 * Sleeps on cells of 16, 24 and 32 bits, over the rollover of the cell and of the clock: in time, late, in the
 * past, many at once. A cell is armed for at most half of what it can time, the longest `span`, so that one of 16
 * bits differs from the simulated ones in that only. Time is virtual.
 */
enum { SLEEPERS = 12 };

static struct width {
    unsigned bits;
    unsigned cell; /* the simulated one, of 24 bits, or another */
} widths[] = {{16, 0}, {24, 3}, {32, 0}};

static hrl_counts turn;  /* of the cell: 2^bits */
static hrl_counts begin; /* hrl_now at the start */
static hrl_counts due[SLEEPERS], woken[SLEEPERS];
static unsigned order[SLEEPERS], order_count;

static void sleep_once(void *argument)
{
    unsigned i = (unsigned)(uintptr_t)argument;

    hrl_thread_sleep_until(begin + due[i]);
    woken[i] = hrl_now() - begin;
    order[order_count++] = i;
}

static void set_up(const struct width *width, hrl_counts clock_start)
{
    sut_reset();
    turn = (hrl_counts)1 << width->bits;
    hrlp_host_setup.clock_start = clock_start;
    begin = (hrl_stamp)clock_start;
    hrlp_host_setup.limit = 100 * turn;
    for (unsigned i = 0; i <= width->cell; i++) { /* the last one has the time-outs */
        sut_add_releaser((struct sut_releaser){
            .one_shot = true, .span = (uint32_t)(turn / 2), .timeouts = i == width->cell});
    }
    memset(woken, 0, sizeof woken);
    order_count = 0;
}

static void start_sleepers(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        (void)sut_start("sleeper", 5, sleep_once, (void *)(uintptr_t)i);
    }
}

/* From where the clock starts, for each width: far from its rollover, just before it, at it. */
static void for_each_start(void (*test)(const struct width *width, hrl_counts clock_start))
{
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        test(&widths[i], 0);
        test(&widths[i], ((hrl_counts)1 << 32) - ((hrl_counts)1 << widths[i].bits) / 3);
        test(&widths[i], ((hrl_counts)1 << 32) - 1);
    }
}

static void in_time(const struct width *width, hrl_counts clock_start)
{
    set_up(width, clock_start);
    for (unsigned i = 0; i < SLEEPERS; i++) { /* up to three turns and a little more */
        due[i] = 10 + i + i * turn / 4;
    }
    start_sleepers(SLEEPERS);
    assert_string_equal(sut_run(5 * turn), "done");
    for (unsigned i = 0; i < SLEEPERS; i++) {
        assert_int_equal(woken[i], due[i]);
        assert_int_equal(order[i], i);
    }
    assert_true(sut_count('I', width->cell) <= SLEEPERS + 11); /* and hops of half a turn */
}

static void test_sleeps_over_the_rollover_are_in_time(void **state)
{
    (void)state;
    for_each_start(in_time);
}

static hrl_counts masked_for;

static void mask(void *argument)
{
    hrlp_irq_state state;

    (void)argument;
    hrl_thread_sleep_until(begin + 5);
    state = hrlp_irq_lock();
    hrlp_host_consume(masked_for);
    hrlp_irq_unlock(state);
}

/* Interrupts masked for seven eighths of a turn: those meanwhile are late, in order; those after it are in time. */
static void late(const struct width *width, hrl_counts clock_start)
{
    /* Of 32 bits no more than what a stamp can tell from its past. */
    hrl_counts most = (hrl_counts)7 << 28;

    set_up(width, clock_start);
    masked_for = turn / 8 * 7 < most ? turn / 8 * 7 : most;
    for (unsigned i = 0; i < SLEEPERS; i++) {
        due[i] = 10 + i * (masked_for / 8);
    }
    start_sleepers(SLEEPERS);
    (void)sut_start("masker", 6, mask, NULL);
    assert_string_equal(sut_run(5 * turn), "done");
    for (unsigned i = 0; i < SLEEPERS; i++) {
        assert_int_equal(woken[i], due[i] < 5 + masked_for ? 5 + masked_for : due[i]);
        assert_int_equal(order[i], i);
    }
}

static void test_masked_for_most_of_a_turn(void **state)
{
    (void)state;
    for_each_start(late);
}

/* The instant passes while the thread puts itself to sleep: at each possible step. */
static hrl_counts insert_counts;

static hrl_counts insertion(void)
{
    return insert_counts;
}

static void in_the_past(const struct width *width, hrl_counts clock_start)
{
    for (insert_counts = 0; insert_counts < 6; insert_counts++) {
        for (hrl_counts ahead = 0; ahead < 9; ahead++) {
            set_up(width, clock_start);
            sut_insert_counts = insertion;
            due[0] = 0;
            due[1] =
                ahead; /* not after the first has slept, or while this one goes to sleep, or after */
            start_sleepers(2);
            assert_string_equal(sut_run(5 * turn), "done");
            assert_int_equal(woken[0], 0);
            assert_in_range(woken[1], ahead, ahead > insert_counts ? ahead : insert_counts);
        }
    }
}

static void test_arming_in_the_past_is_arming_for_now(void **state)
{
    (void)state;
    for_each_start(in_the_past);
}

/* Twelve at one instant, in the order in which they went to sleep, by one interrupt. */
static void at_once(const struct width *width, hrl_counts clock_start)
{
    set_up(width, clock_start);
    for (unsigned i = 0; i < SLEEPERS; i++) {
        due[i] = turn + 100;
    }
    start_sleepers(SLEEPERS);
    assert_string_equal(sut_run(3 * turn), "done");
    for (unsigned i = 0; i < SLEEPERS; i++) {
        assert_int_equal(woken[i], turn + 100);
        assert_int_equal(order[i], i);
    }
    assert_true(sut_count('I', width->cell) <= 5); /* and hops */
}

static void test_many_at_one_instant(void **state)
{
    (void)state;
    for_each_start(at_once);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sleeps_over_the_rollover_are_in_time),
        cmocka_unit_test(test_masked_for_most_of_a_turn),
        cmocka_unit_test(test_arming_in_the_past_is_arming_for_now),
        cmocka_unit_test(test_many_at_one_instant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
