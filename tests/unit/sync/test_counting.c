/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "counting.h"
#include "delta_list.h"
#include "store.h"
#include "system_under_test.h"
#include "with_cmocka.h"

/*
 * A cell that counts, its entry and its handler called by hand, every PERIOD counts: no handler runs.
 */
enum { PERIOD = 100 };

static unsigned rests, moves, calls, gives, releases;
static hrl_stamp next; /* of the cell */
static hrl_stamp now;
static struct hrl_alarm first, second;
static struct hrl_alarm *to_start; /* by the action */

static void release(struct hrli_releaser *releaser, struct hrli_queue_node *node, hrl_stamp instant)
{
    (void)releaser;
    (void)node;
    (void)instant;
    releases++;
}

HRLI_QUEUE_CALLS(delta_list)
HRLI_ASSEMBLED const hrl_stamp *delta_list_due(void *kept)
{
    const struct hrli_queue_node *node = delta_list_first(kept);

    return node == NULL ? NULL : &node->key;
}
HRLI_QUEUE_STORE_OF(store, delta_list, release)
HRLI_QUEUE(list, delta_list, 0, 0, 0)

static struct hrli_counting counting;
static struct hrli_short_alarms alarms;

static bool stay(struct hrli_queue_node *node, uint32_t counts)
{
    return delta_list_stay(&list, node, counts);
}

static void put_off(struct hrli_queue_node *node, hrl_stamp key)
{
    delta_list_put_off(&list, node, key);
}

static bool is_late(void)
{
    return next - now - 1u >= PERIOD;
}

static void advance(void)
{
    next += PERIOD;
}

static hrl_stamp last(void)
{
    return next - PERIOD;
}

static const struct hrli_counting_parts parts = {&counting, &alarms, &list,   &store, PERIOD,
                                                 stay,      last,    is_late, advance};

static void moved(struct hrl_alarm *alarm, uint32_t counts)
{
    moves++;
    hrli_counting_move(&parts, alarm, counts, put_off);
}

/* The interrupt of the instant `next`, as the port's entry makes it: true if it only counted. */
static bool interrupt(void)
{
    uint16_t left = counting.left;

    next += PERIOD;
    counting.left = (uint16_t)(left - PERIOD);
    if (is_late()) {
        rests++;
        hrli_counting_rest(&parts);
        return false;
    }
    if (left >= PERIOD) {
        return true;
    }
    if (!hrli_counting_interrupt(&parts, moved)) {
        rests++;
        hrli_counting_rest(&parts);
    }
    return false;
}

/* So many instants pass, each with its interrupt. */
static void tick(unsigned count)
{
    while (count-- != 0) {
        now = next;
        (void)interrupt();
    }
}

static void insert(struct hrl_alarm *alarm, uint32_t ahead, struct hrli_period period)
{
    alarm->period = period;
    alarm->timeout.node.key = now + ahead;
    alarm->timeout.state =
        (uint8_t)(HRLI_TIMEOUT_SHORT + (period.numerator != 0 ? HRLI_TIMEOUT_PARTS : 0) +
                  (alarm->function != NULL ? HRLI_TIMEOUT_CALLS : 0));
    alarms.is_near = false;
    (void)delta_list_insert(&list, &alarm->timeout.node);
}

static void start(struct hrl_alarm *alarm, uint32_t ahead, struct hrli_period period)
{
    insert(alarm, ahead, period);
    (void)hrli_counting_aim(&parts);
}

static void called(void *argument, uint32_t expiries)
{
    assert_ptr_equal(argument, &first);
    assert_int_equal(expiries, 1);
    calls++;
    if (to_start != NULL) {
        insert(to_start, 150, HRL_PERIOD_COUNTS(1000));
        to_start = NULL;
    }
}

static void given(struct hrl_alarm *alarm, uint32_t expiries)
{
    assert_ptr_equal(alarm, &second);
    assert_int_equal(expiries, 1);
    gives++;
}

static int set_up(void **state)
{
    (void)state;
    sut_reset();
    hrli_ready_init(&hrli_core.ready);
    hrli_ready_occupy(&hrli_core.ready, 0); /* the idle thread */
    list_init();
    now = 0u - 1000u; /* over the wrap */
    next = now + PERIOD;
    counting = (struct hrli_counting){.left = 0};
    alarms = (struct hrli_short_alarms){0};
    rests = moves = calls = gives = releases = 0;
    to_start = NULL;
    first = (struct hrl_alarm)HRL_ALARM_INIT_CALL(called, &first);
    second = (struct hrl_alarm){.act = given};
    (void)hrli_counting_aim(&parts);
    return 0;
}

static void test_interrupts_count(void **state)
{
    (void)state;
    start(&first, 500, HRL_PERIOD_COUNTS(500));
    for (unsigned i = 1; i <= 200; i++) {
        now = next;
        assert_int_equal(interrupt(), i % 5 != 0);
        assert_int_equal(calls, i / 5);
    }
    assert_int_equal(rests, 0);
}

static void test_expiries_come_at_the_next_instant(void **state)
{
    (void)state;
    start(&first, 730, HRL_PERIOD_RATIO(1501, 4));
    for (unsigned k = 0; k < 40; k++) {
        while (hrli_stamp_after(next, 0u - 1000u + 730u + k * 1501u / 4u + PERIOD - 1u) == false) {
            tick(1);
        }
        assert_int_equal(calls, k + 1);
    }
}

static void test_nothing_counts_as_far_as_it_can(void **state)
{
    (void)state;
    tick(2000); /* beyond 16 bits */
    assert_int_equal(rests, 3);
    start(&first, 150000, HRL_PERIOD_COUNTS(500));
    tick(1499);
    assert_int_equal(calls, 0);
    tick(1);
    assert_int_equal(calls, 1);
}

static void test_a_period_shorter_than_the_cells_is_for_the_general_code(void **state)
{
    (void)state;
    start(&first, 300, HRL_PERIOD_COUNTS(PERIOD / 2));
    tick(3);
    assert_int_equal(calls, 0);
    assert_int_equal(rests, 1);
    assert_int_equal(releases, 1);
}

static void test_two_alarms_take_turns(void **state)
{
    (void)state;
    start(&first, 300, HRL_PERIOD_COUNTS(300));
    start(&second, 400, HRL_PERIOD_COUNTS(1000));
    tick(3);
    assert_int_equal(moves, 1); /* its next is at 600 */
    tick(1);
    assert_int_equal(gives, 1);
    assert_int_equal(moves, 2);
    tick(5);
    assert_int_equal(calls, 3);
    assert_int_equal(rests, 0);
}

static void test_an_action_makes_another_the_first(void **state)
{
    (void)state;
    start(&first, 300, HRL_PERIOD_COUNTS(500));
    to_start = &second;
    tick(3);
    assert_int_equal(calls, 1);
    assert_int_equal(rests, 1);
    tick(2);
    assert_int_equal(gives, 1);
}

static void test_a_lost_interrupt_is_made_up_for(void **state)
{
    (void)state;
    start(&first, 350, HRL_PERIOD_COUNTS(10000));
    tick(2);
    now += 4 * PERIOD + 30;
    assert_false(interrupt());
    assert_int_equal(releases, 1); /* by the general code */
    assert_int_equal(next - now, PERIOD - 30);
    delta_list_remove(&list, &first.timeout.node);
}

static void test_a_thread_is_served_what_it_has_kept(void **state)
{
    (void)state;
    start(&first, 250, HRL_PERIOD_COUNTS(10000));
    counting.base.busy = true;
    tick(4);
    assert_true(counting.base.deferred);
    assert_int_equal(releases, 0);
    hrli_counting_serve(&parts);
    assert_int_equal(releases, 1);
}

static void serve(struct hrli_releaser *releaser)
{
    (void)releaser;
    hrli_counting_serve(&parts);
}

static void test_a_node_is_put(void **state)
{
    static const struct hrli_releaser_calls by_hand = {.serve = serve};
    struct hrli_queue_node nodes[3] = {{.key = now + 250}, {.key = now + 350}, {.key = now - 5}};

    (void)state;
    counting.base.calls = &by_hand;
    for (unsigned i = 0; i < 3; i++) {
        hrli_counting_put(&parts, &nodes[i]);
    }
    assert_int_equal(releases, 1); /* the last is past */
    tick(3);
    assert_int_equal(releases, 2);
    tick(1);
    assert_int_equal(releases, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_interrupts_count, set_up),
        cmocka_unit_test_setup(test_expiries_come_at_the_next_instant, set_up),
        cmocka_unit_test_setup(test_nothing_counts_as_far_as_it_can, set_up),
        cmocka_unit_test_setup(test_a_period_shorter_than_the_cells_is_for_the_general_code,
                               set_up),
        cmocka_unit_test_setup(test_two_alarms_take_turns, set_up),
        cmocka_unit_test_setup(test_an_action_makes_another_the_first, set_up),
        cmocka_unit_test_setup(test_a_lost_interrupt_is_made_up_for, set_up),
        cmocka_unit_test_setup(test_a_thread_is_served_what_it_has_kept, set_up),
        cmocka_unit_test_setup(test_a_node_is_put, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
