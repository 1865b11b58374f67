/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Alarms of core 1 that core 0 starts and stops, on the two cores of tests/support/two_cores: the calls, and what core 1
 * makes of them in its dispatch. The store of time-outs only notes what it holds.
 */
#include "alarm_change.h"
#include "alarm_elsewhere.h"
#include "changes.h"
#include "clock.h"
#include "hrlp_host_machine.h"
#include "two_cores.h"
#include "wait.h"
#include "with_cmocka.h"
#include <hrl/alarm.h>

enum { NODES = 4 };
static struct hrli_queue_node *nodes[NODES]; /* in the order in which they came */
static unsigned node_count, served;
static struct hrli_releaser releaser;

static bool cell_comes; /* its interrupt does, and finds the store in use */

static bool insert(struct hrli_queue_node *node)
{
    assert_true(releaser.busy);
    assert_true(node_count < NODES);
    nodes[node_count++] = node;
    return node_count == 1;
}

static void take_out(struct hrli_queue_node *node)
{
    unsigned at = 0;

    assert_true(releaser.busy);
    releaser.deferred = cell_comes;
    while (at < node_count && nodes[at] != node) {
        at++;
    }
    assert_true(at < node_count);
    for (node_count--; at < node_count; at++) {
        nodes[at] = nodes[at + 1];
    }
}

static void serve(struct hrli_releaser *base)
{
    assert_ptr_equal(base, &releaser);
    served++;
}

static const struct hrli_releaser_calls releaser_calls = {.serve = serve};
static const struct hrli_timeouts timeouts = {&releaser, NULL, take_out, insert};

static unsigned calls;
static uint32_t expiries;

static void count(void *argument, uint32_t times)
{
    (void)argument;
    calls++;
    expiries += times;
}

static struct hrl_alarm alarms[2];

/* Both alarms belong to core 1, and do not run; the test is core 0, and the time is 1000. */
static int prepare(void **state)
{
    (void)state;
    two_cores_reset();
    hrli_clock_start();
    hrlp_host_consume(1000);
    releaser = (struct hrli_releaser){.calls = &releaser_calls};
    for (unsigned core = 0; core < HRL_CORES; core++) {
        two_cores_on(core);
        hrli_core.timeouts = &timeouts;
    }
    for (unsigned i = 0; i < 2; i++) {
        alarms[i] = (struct hrl_alarm)HRL_ALARM_INIT_CALL(count, NULL);
        hrl_alarm_start(&alarms[i], hrl_now() + 100);
        assert_true(hrl_alarm_stop(&alarms[i]));
    }
    two_cores_on(0);
    node_count = served = calls = expiries = two_cores_rings[1] = 0;
    cell_comes = false;
    return 0;
}

static void dispatch_on_core_1(void)
{
    two_cores_on(1);
    assert_true(hrli_core_has_changes());
    hrli_changes_apply();
    assert_false(hrli_core_has_changes());
    assert_false(releaser.busy);
    two_cores_on(0);
}

/* Its doorbell has not come yet. */
static void begin_on_core_1(void)
{
    two_cores_on(1);
    hrli_core.has_changes = false;
}

/* The store of core 1 serves its first node. */
static void serve_on_core_1(void)
{
    struct hrli_queue_node *node = nodes[0];

    two_cores_on(1);
    hrli_releaser_begin_use(&releaser);
    take_out(node);
    hrli_timeout_release(&releaser, node, node->key);
    hrli_releaser_end_use(&releaser);
    two_cores_on(0);
}

static void test_a_start_is_done_by_the_next_dispatch_of_its_core(void **state)
{
    const hrl_counts instant = hrl_now() + 100;

    (void)state;
    hrl_alarm_start(&alarms[0], instant);
    assert_int_equal(node_count, 0);
    assert_int_equal(two_cores_rings[1], 1);
    assert_false(hrli_core_has_changes());
    dispatch_on_core_1();
    assert_int_equal(node_count, 1);
    assert_int_equal(nodes[0]->key, (hrl_stamp)instant);
    assert_int_equal(served, 1);
    hrlp_host_consume(100);
    serve_on_core_1();
    assert_int_equal(calls, 1);
    assert_false(hrl_alarm_stop(&alarms[0]));
}

static void test_a_stop_holds_at_once_and_its_core_takes_it_out(void **state)
{
    (void)state;
    hrl_alarm_start_periodic(&alarms[0], hrl_now() + 100, HRL_PERIOD_COUNTS(100), 0);
    hrl_alarm_start_periodic(&alarms[1], hrl_now() + 100, HRL_PERIOD_COUNTS(100), 0);
    dispatch_on_core_1();
    assert_int_equal(node_count, 2);
    assert_true(hrl_alarm_stop(&alarms[0]));
    assert_true(hrl_alarm_stop(&alarms[1]));
    assert_false(hrl_alarm_stop(&alarms[0]));
    hrlp_host_consume(100);
    serve_on_core_1(); /* before the dispatch: it expires no more, nor goes back */
    assert_int_equal(calls, 0);
    assert_int_equal(node_count, 1);
    dispatch_on_core_1();
    assert_int_equal(node_count, 0);
    assert_false(hrl_alarm_stop(&alarms[1]));
}

static void test_what_the_cell_has_left_to_the_dispatch_is_served(void **state)
{
    (void)state;
    hrl_alarm_start(&alarms[0], hrl_now() + 100);
    dispatch_on_core_1();
    served = 0;
    cell_comes = true;
    assert_true(hrl_alarm_stop(&alarms[0]));
    dispatch_on_core_1();
    assert_int_equal(served, 1);
    assert_false(releaser.deferred);
}

static void test_the_last_call_holds_and_an_alarm_is_listed_once(void **state)
{
    (void)state;
    hrl_alarm_start(&alarms[0], hrl_now() + 100);
    hrl_alarm_start(&alarms[1], hrl_now() + 200);
    assert_true(hrl_alarm_stop(&alarms[1]));
    assert_true(hrl_alarm_stop(&alarms[0]));
    hrl_alarm_start(&alarms[0], hrl_now() + 300);
    dispatch_on_core_1();
    assert_int_equal(node_count, 1);
    assert_ptr_equal(nodes[0], &alarms[0].timeout.node);
    assert_int_equal(nodes[0]->key, (hrl_stamp)hrl_now() + 300);
}

static void test_alarms_go_in_in_the_order_of_the_calls(void **state)
{
    (void)state;
    hrl_alarm_start(&alarms[1], hrl_now() + 100);
    hrl_alarm_start(&alarms[0], hrl_now() + 100);
    dispatch_on_core_1();
    assert_int_equal(node_count, 2);
    assert_ptr_equal(nodes[0], &alarms[1].timeout.node);
}

/* What core 0 has asked for is off, and what is listed is not looked at any more. */
static void test_a_call_of_its_own_core_comes_after_what_was_asked_for(void **state)
{
    (void)state;
    hrl_alarm_start(&alarms[0], hrl_now() + 100);
    hrl_alarm_start(&alarms[1], hrl_now() + 100);
    begin_on_core_1();
    two_cores_deliver(1);
    hrli_core.has_changes = false;
    assert_int_equal(hrl_alarm_next(&alarms[0]), hrl_now() + 100);
    two_cores_on(0);
    assert_true(hrl_alarm_stop(&alarms[0]));
    begin_on_core_1();
    assert_int_equal(hrl_alarm_next(&alarms[0]), HRL_FOREVER);
    two_cores_on(0);
    hrl_alarm_start(&alarms[0], hrl_now() + 100);
    begin_on_core_1();
    assert_true(hrl_alarm_stop(&alarms[0]));
    assert_int_equal(hrl_alarm_next(&alarms[0]), HRL_FOREVER);
    hrl_alarm_start(&alarms[1], hrl_now() + 500);
    hrli_changes_apply();
    two_cores_on(0);
    assert_int_equal(node_count, 1);
    assert_int_equal(nodes[0]->key, (hrl_stamp)hrl_now() + 500);
}

static void test_a_start_in_the_past_expires_in_the_dispatch(void **state)
{
    const hrl_counts now = hrl_now();

    (void)state;
    hrl_alarm_start_periodic(&alarms[0], now - 250, HRL_PERIOD_COUNTS(100), 0);
    assert_int_equal(calls, 0);
    dispatch_on_core_1();
    assert_int_equal(calls, 1);
    assert_int_equal(expiries, 3);
    assert_int_equal(nodes[0]->key, (hrl_stamp)now + 50);
    assert_false(two_cores_of(1)->alarms.acting);
}

/* Which a function of core 1 has started in the past, and core 0 stops before that function has ended. */
static void test_what_an_alarm_owes_is_not_paid_if_another_core_stops_it(void **state)
{
    (void)state;
    two_cores_on(1);
    hrli_core.alarms.acting = true;
    hrl_alarm_start(&alarms[0], hrl_now());
    two_cores_on(0);
    assert_true(hrl_alarm_stop(&alarms[0]));
    two_cores_on(1);
    hrli_alarm_pay();
    hrli_core.alarms.acting = false;
    two_cores_on(0);
    dispatch_on_core_1();
    assert_int_equal(calls, 0);
}

/* What had expired by then is forgotten: by the call, and, of an expiry that had begun, by the dispatch. */
static void test_a_start_forgets_what_threads_have_not_waited_for(void **state)
{
    uint32_t times;

    (void)state;
    alarms[0] = (struct hrl_alarm)HRL_ALARM_INIT;
    alarms[0].home = 2;
    alarms[0].expired = 3;
    hrl_alarm_start(&alarms[0], hrl_now() + 100);
    assert_int_equal(hrl_alarm_wait(&alarms[0], &times, HRL_NO_WAIT), HRL_WOULD_WAIT);
    hrli_alarm_wake(&alarms[0], 1);
    dispatch_on_core_1();
    assert_int_equal(hrl_alarm_wait(&alarms[0], &times, HRL_NO_WAIT), HRL_WOULD_WAIT);
}

static void test_a_stop_leaves_an_alarm_that_was_never_started_to_any_core(void **state)
{
    (void)state;
    alarms[0] = (struct hrl_alarm)HRL_ALARM_INIT_CALL(count, NULL);
    assert_false(hrl_alarm_stop(&alarms[0]));
    assert_int_equal(alarms[0].home, 0);
    two_cores_on(1);
    hrl_alarm_start(&alarms[0], hrl_now() + 100);
    assert_int_equal(alarms[0].home, 2);
    two_cores_on(0);
    assert_true(hrl_alarm_stop(&alarms[0]));
    assert_int_equal(two_cores_rings[1], 1);
}

static void test_a_core_without_time_outs_looks_at_no_alarms(void **state)
{
    (void)state;
    hrli_core.timeouts = NULL;
    hrli_changes_apply();
    assert_int_equal(served, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_start_is_done_by_the_next_dispatch_of_its_core, prepare),
        cmocka_unit_test_setup(test_a_stop_holds_at_once_and_its_core_takes_it_out, prepare),
        cmocka_unit_test_setup(test_what_the_cell_has_left_to_the_dispatch_is_served, prepare),
        cmocka_unit_test_setup(test_the_last_call_holds_and_an_alarm_is_listed_once, prepare),
        cmocka_unit_test_setup(test_alarms_go_in_in_the_order_of_the_calls, prepare),
        cmocka_unit_test_setup(test_a_call_of_its_own_core_comes_after_what_was_asked_for, prepare),
        cmocka_unit_test_setup(test_a_start_in_the_past_expires_in_the_dispatch, prepare),
        cmocka_unit_test_setup(test_what_an_alarm_owes_is_not_paid_if_another_core_stops_it,
                               prepare),
        cmocka_unit_test_setup(test_a_start_forgets_what_threads_have_not_waited_for, prepare),
        cmocka_unit_test_setup(test_a_stop_leaves_an_alarm_that_was_never_started_to_any_core,
                               prepare),
        cmocka_unit_test_setup(test_a_core_without_time_outs_looks_at_no_alarms, prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
