/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that another core suspends, resumes, or gives another priority, on the two cores of
 * tests/support/two_cores: the calls of core 0, and what core 1 makes of them in its dispatch.
 */
#include "change_elsewhere.h"
#include "changes.h"
#include "hrlp_upcalls.h"
#include "lifecycle.h"
#include "with_cmocka.h"
#include "woken_threads.h"

/* The first of the threads is ready on core 1, and has been started. The test is core 0. */
static int start_on_core_1(void **state)
{
    (void)prepare(state);
    two_cores_on(1);
    for (unsigned i = 0; i < 3; i++) {
        threads[i].ready.base_priority = threads[i].ready.priority;
        threads[i].life = HRLI_STARTED;
    }
    hrli_ready_add(&hrli_core.ready, &threads[0].ready);
    two_cores_on(0);
    return 0;
}

static void dispatch_on_core_1(void)
{
    two_cores_on(1);
    hrli_changes_apply();
    assert_false(hrli_core_has_changes());
    two_cores_on(0);
}

static bool is_ready(const struct hrl_thread *thread)
{
    bool is_in;

    two_cores_on(1);
    is_in = hrli_ready_is_in(&hrli_core.ready, &thread->ready);
    two_cores_on(0);
    return is_in;
}

static void test_a_suspended_thread_leaves_the_ready_queue_of_its_core_there(void **state)
{
    (void)state;
    assert_int_equal(hrl_thread_state_of(&threads[0]), HRL_THREAD_READY);
    hrl_thread_suspend(&threads[0]);
    assert_int_equal(two_cores_rings[1], 1);
    assert_true(is_ready(&threads[0]));
    assert_int_equal(hrl_thread_state_of(&threads[0]), HRL_THREAD_SUSPENDED);
    dispatch_on_core_1();
    assert_false(is_ready(&threads[0]));
    hrl_thread_resume(&threads[0]);
    assert_false(is_ready(&threads[0]));
    dispatch_on_core_1();
    assert_true(is_ready(&threads[0]));
    assert_int_equal(two_cores_rings[1], 2);
}

static void test_the_last_call_holds_and_a_thread_is_listed_once(void **state)
{
    (void)state;
    hrl_thread_suspend(&threads[0]);
    hrl_thread_suspend(&threads[1]);
    hrl_thread_resume(&threads[0]);
    hrl_thread_suspend(&threads[2]);
    hrl_thread_suspend(&threads[0]);
    hrl_thread_resume(&threads[0]);
    hrl_thread_resume(&threads[1]);
    dispatch_on_core_1();
    assert_true(is_ready(&threads[0]));
    assert_true(is_ready(&threads[1]));
    assert_false(is_ready(&threads[2]));
}

static void test_a_running_thread_runs_until_its_core_has_switched_from_it(void **state)
{
    (void)state;
    two_cores_of(1)->running = &threads[0];
    hrl_thread_suspend(&threads[0]);
    assert_int_equal(hrl_thread_state_of(&threads[0]), HRL_THREAD_RUNNING);
    dispatch_on_core_1();
    two_cores_of(1)->running = &threads[1];
    assert_int_equal(hrl_thread_state_of(&threads[0]), HRL_THREAD_SUSPENDED);
}

static void test_a_waiting_thread_waits_on_after_its_resumption(void **state)
{
    static struct hrli_wait_queue queue;

    (void)state;
    threads[1].wait.queue = &queue;
    threads[1].wait_status = HRLI_WAITING;
    assert_int_equal(hrl_thread_state_of(&threads[1]), HRL_THREAD_WAITING);
    hrl_thread_suspend(&threads[1]);
    hrl_thread_resume(&threads[1]);
    dispatch_on_core_1();
    assert_false(is_ready(&threads[1]));
    hrl_thread_suspend(&threads[1]);
    dispatch_on_core_1();
    assert_int_equal(hrl_thread_state_of(&threads[1]), HRL_THREAD_SUSPENDED);
}

/* It is made ready once, by the handler of the doorbell. */
static void test_a_thread_that_is_woken_too_is_left_to_the_doorbell(void **state)
{
    (void)state;
    hrl_thread_suspend(&threads[1]);
    wake(&threads[1]);
    hrl_thread_resume(&threads[1]);
    assert_int_equal(hrl_thread_state_of(&threads[1]), HRL_THREAD_READY);
    dispatch_on_core_1();
    assert_false(is_ready(&threads[1]));
    two_cores_on(1);
    hrli_core_rung();
    two_cores_on(0);
    assert_true(is_ready(&threads[1]));
}

static void test_a_priority_is_given_at_once_and_holds_from_the_next_dispatch_on(void **state)
{
    (void)state;
    hrl_thread_set_priority(&threads[0], 9);
    assert_int_equal(hrl_thread_get_priority(&threads[0]), 9);
    assert_int_equal(threads[0].ready.priority, 3);
    dispatch_on_core_1();
    assert_int_equal(threads[0].ready.priority, 9);
    two_cores_on(1);
    assert_int_equal(hrli_ready_top(&hrli_core.ready), 9);
    two_cores_on(0);
}

/* A thread that runs and leaves the ready queue is not put in again by a change of its level. */
static void test_a_priority_puts_no_waiting_thread_into_the_ready_queue(void **state)
{
    (void)state;
    two_cores_of(1)->running = &threads[1];
    threads[1].timeout_state = HRLI_TIMEOUT_ARMED; /* it sleeps */
    hrl_thread_set_priority(&threads[1], 9);
    dispatch_on_core_1();
    assert_false(is_ready(&threads[1]));
    assert_int_equal(threads[1].ready.priority, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_suspended_thread_leaves_the_ready_queue_of_its_core_there,
                               start_on_core_1),
        cmocka_unit_test_setup(test_the_last_call_holds_and_a_thread_is_listed_once,
                               start_on_core_1),
        cmocka_unit_test_setup(test_a_running_thread_runs_until_its_core_has_switched_from_it,
                               start_on_core_1),
        cmocka_unit_test_setup(test_a_waiting_thread_waits_on_after_its_resumption,
                               start_on_core_1),
        cmocka_unit_test_setup(test_a_thread_that_is_woken_too_is_left_to_the_doorbell,
                               start_on_core_1),
        cmocka_unit_test_setup(test_a_priority_is_given_at_once_and_holds_from_the_next_dispatch_on,
                               start_on_core_1),
        cmocka_unit_test_setup(test_a_priority_puts_no_waiting_thread_into_the_ready_queue,
                               start_on_core_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
