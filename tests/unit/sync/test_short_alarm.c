/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "delta_list.h"
#include "hrlp_host_machine.h"
#include "short_alarm.h"
#include "store.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <string.h>

/*
 * The short way of alarms, taken by hand on the host's clock: no handler runs. That ports which take it keep
 * the promises of alarms is shown on their boards.
 */
enum { SPAN = 1 << 15 };

HRLI_QUEUE_STORE(delta_list)
HRLI_QUEUE(list, delta_list, 0, 0, 0)

static struct hrli_releaser releaser;
static const struct hrli_one_shot_parts timeouts = {&releaser, &list, &delta_list_store, NULL,
                                                    SPAN};
static struct hrli_short_alarms alarms;
static unsigned moves, calls, gives;
static uint32_t armed; /* how far ahead; 0: not armed */
static struct hrl_alarm first, second;

static bool stay(struct hrli_queue_node *node, uint32_t counts)
{
    return delta_list_stay(&list, node, counts);
}

static void put_off(struct hrli_queue_node *node, hrl_stamp key)
{
    delta_list_put_off(&list, node, key);
}

static void arm_near(uint16_t now, uint16_t left)
{
    assert_int_equal(now, (uint16_t)hrlp_host_now());
    armed = left;
}

static const struct hrli_short_parts parts = {&timeouts, &alarms, stay, put_off, arm_near};

static unsigned rests;

static void rest(void)
{
    rests++;
}

static void moved(struct hrl_alarm *alarm, uint32_t counts)
{
    moves++;
    hrli_short_alarm_move(&parts, alarm, counts, rest);
}

static void called(void *argument, uint32_t expiries)
{
    assert_ptr_equal(argument, &first);
    assert_int_equal(expiries, 1);
    assert_true(hrli_core.alarms.acting);
    calls++;
}

static void given(struct hrl_alarm *alarm, uint32_t expiries)
{
    assert_ptr_equal(alarm, &second);
    assert_int_equal(expiries, 1);
    gives++;
}

/* What hrl_alarm_start_periodic does where alarms are shortened. */
static void start(struct hrl_alarm *alarm, uint32_t ahead, struct hrli_period period)
{
    bool is_call = alarm->function != NULL;

    hrli_short_alarm_reduce(&period);
    alarm->period = period;
    alarm->timeout.node.key = hrlp_clock_read() + ahead;
    alarm->timeout.state =
        (uint8_t)(HRLI_TIMEOUT_SHORT + (period.numerator != 0 ? HRLI_TIMEOUT_PARTS : 0) +
                  (is_call ? HRLI_TIMEOUT_CALLS : 0));
    (void)delta_list_insert(&list, &alarm->timeout.node);
    hrli_short_alarm_look(&parts);
}

static void pass(hrl_counts counts)
{
    hrl_counts charged = 0;

    hrlp_host_pass(counts, &charged);
    armed = 0;
}

static int set_up(void **state)
{
    (void)state;
    sut_reset();
    hrlp_host_start_time();
    list_init();
    releaser = (struct hrli_releaser){0};
    alarms = (struct hrli_short_alarms){0};
    moves = calls = gives = rests = armed = 0;
    first = (struct hrl_alarm)HRL_ALARM_INIT_CALL(called, &first);
    memset(&second, 0, sizeof second);
    second.act = given;
    return 0;
}

static void test_one_alarm_stays_and_the_cell_is_armed(void **state)
{
    (void)state;
    start(&first, 1000, HRL_PERIOD_COUNTS(500));
    assert_true(alarms.is_near);
    pass(1000);
    for (unsigned i = 1; i <= 10; i++) {
        assert_true(hrli_short_alarm_interrupt(&parts, moved));
        assert_int_equal(calls, i);
        assert_int_equal(armed, 500);
        pass(500);
    }
    assert_int_equal(moves, 0);
    assert_false(hrli_core.alarms.acting);
}

static void test_fractions_do_not_drift(void **state)
{
    hrl_counts begin;

    (void)state;
    start(&first, 1000, HRL_PERIOD_RATIO(3000000000u, 700000000u)); /* 30 / 7 */
    assert_int_equal(first.period.denominator, 7);
    begin = hrlp_host_now() + 1000;
    pass(1000);
    for (uint32_t k = 1; k <= 100; k++) {
        assert_true(hrli_short_alarm_interrupt(&parts, moved));
        assert_int_equal(first.timeout.node.key, (hrl_stamp)(begin + k * 30u / 7u));
        pass(armed);
        pass(begin + k * 30u / 7u - hrlp_host_now());
    }
    assert_int_equal(calls, 100);
}

static void test_fractions_that_have_no_short_terms_stay(void **state)
{
    struct hrli_period period = HRL_PERIOD_RATIO(100000007u, 1000000u);

    (void)state;
    hrli_short_alarm_reduce(&period);
    assert_int_equal(period.denominator, 1000000);
    period = HRL_PERIOD_COUNTS(5);
    hrli_short_alarm_reduce(&period);
    assert_int_equal(period.denominator, 1);
    period = HRL_PERIOD_RATIO(30, 4); /* short already */
    hrli_short_alarm_reduce(&period);
    assert_int_equal(period.denominator, 4);
}

static void test_a_period_beyond_16_bits_acts_and_leaves_the_arming(void **state)
{
    (void)state;
    start(&first, 1000, HRL_PERIOD_COUNTS(70000));
    pass(1000);
    assert_false(hrli_short_alarm_interrupt(&parts, moved));
    assert_int_equal(calls, 1);
    assert_int_equal(armed, 0);
    assert_int_equal(first.timeout.node.key, (hrl_stamp)hrlp_host_now() + 70000u);
}

static void test_an_alarm_moves_behind_one_that_is_far(void **state)
{
    (void)state;
    start(&first, 100, HRL_PERIOD_COUNTS(70000));
    start(&second, SPAN + 1000, HRL_PERIOD_COUNTS(1000));
    pass(100);
    assert_true(hrli_short_alarm_interrupt(&parts, moved));
    assert_int_equal(calls, 1);
    assert_int_equal(moves, 1);
    assert_int_equal(rests, 1);
}

static void test_alarms_take_turns(void **state)
{
    (void)state;
    start(&first, 100, HRL_PERIOD_COUNTS(300));
    start(&second, 500, HRL_PERIOD_COUNTS(1000));
    pass(100);
    assert_true(hrli_short_alarm_interrupt(&parts, moved)); /* at 100: 400 is before 500 */
    assert_int_equal(armed, 300);
    assert_int_equal(moves, 0);
    pass(300);
    assert_true(hrli_short_alarm_interrupt(&parts, moved)); /* at 400: 700 is behind it */
    assert_int_equal(moves, 1);
    assert_int_equal(calls, 2);
    pass(100);
    assert_true(hrli_short_alarm_interrupt(&parts, moved)); /* the other, which then is at 1500 */
    assert_int_equal(gives, 1);
    assert_int_equal(moves, 2);
    assert_int_equal(rests, 0);
    assert_int_equal(first.timeout.node.key, (hrl_stamp)hrlp_host_now() + 200u);
}

static void test_what_is_not_usual_is_left(void **state)
{
    (void)state;
    start(&first, 1000, HRL_PERIOD_COUNTS(500));
    assert_false(hrli_short_alarm_interrupt(&parts, moved)); /* it is not due */
    pass(1000);
    releaser.busy = true;
    assert_false(hrli_short_alarm_interrupt(&parts, moved));
    hrli_short_alarm_look(&parts);
    assert_false(alarms.is_near);
    releaser.busy = false;
    assert_false(
        hrli_short_alarm_interrupt(&parts, moved)); /* the busy thread has made another the first */
    alarms.is_near = true;
    first.timeout.state = HRLI_TIMEOUT_NONE;
    assert_false(hrli_short_alarm_interrupt(&parts, moved));
    first.timeout.state = HRLI_TIMEOUT_SHORT + HRLI_TIMEOUT_CALLS;
    pass(500);
    assert_false(hrli_short_alarm_interrupt(&parts, moved)); /* the next is due, too */
    assert_int_equal(calls, 0);
}

static void test_far_nodes_and_none_are_not_near(void **state)
{
    (void)state;
    hrli_short_alarm_look(&parts);
    assert_false(alarms.is_near);
    start(&first, SPAN, HRL_PERIOD_COUNTS(SPAN + 10));
    assert_true(alarms.is_near);
    pass(SPAN);
    assert_false(
        hrli_short_alarm_interrupt(&parts, moved)); /* it has acted; the next takes a hop */
    assert_int_equal(calls, 1);
    assert_int_equal(armed, 0);
}

static void test_what_is_owed_is_paid(void **state)
{
    (void)state;
    second.owed = 1;
    second.in_list = true;
    hrli_core.alarms.owing = &second;
    start(&first, 1000, HRL_PERIOD_COUNTS(500));
    pass(1000);
    assert_true(hrli_short_alarm_interrupt(&parts, moved));
    assert_int_equal(gives, 1);
    assert_null(hrli_core.alarms.owing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_one_alarm_stays_and_the_cell_is_armed, set_up),
        cmocka_unit_test_setup(test_fractions_do_not_drift, set_up),
        cmocka_unit_test_setup(test_fractions_that_have_no_short_terms_stay, set_up),
        cmocka_unit_test_setup(test_a_period_beyond_16_bits_acts_and_leaves_the_arming, set_up),
        cmocka_unit_test_setup(test_an_alarm_moves_behind_one_that_is_far, set_up),
        cmocka_unit_test_setup(test_alarms_take_turns, set_up),
        cmocka_unit_test_setup(test_what_is_not_usual_is_left, set_up),
        cmocka_unit_test_setup(test_far_nodes_and_none_are_not_near, set_up),
        cmocka_unit_test_setup(test_what_is_owed_is_paid, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
