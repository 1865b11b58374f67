/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "change_elsewhere.h"
#include "system_under_test.h"
#include "wait.h"
#include "with_cmocka.h"
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>

/* Start, end, join, suspend and resume; and what a thread is said to be doing. */

static void set_up(void)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
}

static void note_argument(void *argument)
{
    sut_note(argument);
}

static void test_started_before_the_start_they_run_by_level_and_then_in_order(void **state)
{
    (void)state;
    set_up();
    sut_start("a", 2, note_argument, "a");
    sut_start("b", 5, note_argument, "b");
    sut_start("c", 2, note_argument, "c");
    sut_start("d", 31, note_argument, "d");
    assert_string_equal(sut_run(1000), "done");
    assert_string_equal(sut_notes, "d b a c ");
}

static struct hrl_thread *other, *third;

static void starter(void *argument)
{
    (void)argument;
    assert_int_equal(hrl_thread_state_of(other), HRL_THREAD_DORMANT);
    sut_note("start");
    hrl_thread_start(other);
    sut_note("started");
}

static void test_a_more_urgent_thread_runs_at_once(void **state)
{
    (void)state;
    for (uint32_t level = 1; level <= 3; level++) {
        set_up();
        sut_start("starter", 2, starter, NULL);
        other = sut_define("other", level, note_argument, "other");
        sut_run(1000);
        assert_string_equal(sut_notes, level > 2 ? "start other started " : "start started other ");
        assert_int_equal(hrl_thread_state_of(other), HRL_THREAD_ENDED);
    }
}

static void restarter(void *argument)
{
    (void)argument;
    for (int i = 0; i < 3; i++) {
        hrl_thread_start(other);
        assert_int_equal(hrl_thread_join(other, HRL_FOREVER), HRL_OK);
        sut_note("joined");
    }
    assert_int_equal(hrl_thread_join(other, HRL_NO_WAIT), HRL_OK);
}

static void test_an_ended_thread_can_be_started_again(void **state)
{
    (void)state;
    set_up();
    other = sut_define("other", 1, note_argument, "run");
    sut_start("restarter", 2, restarter, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "run joined run joined run joined ");
}

static void wait_500_and_exit(void *argument)
{
    (void)argument;
    hrl_thread_sleep_for(500);
    sut_note("exit");
    hrl_thread_exit();
}

static void join_for_ever(void *argument)
{
    assert_int_equal(hrl_thread_join(other, HRL_FOREVER), HRL_OK);
    sut_note(argument);
}

static void join_in_vain(void *argument)
{
    hrl_counts from = hrl_now();

    assert_int_equal(hrl_thread_join(other, HRL_NO_WAIT), HRL_WOULD_WAIT);
    assert_int_equal(hrl_thread_join(other, from + 300), HRL_TIMED_OUT);
    assert_int_equal(hrl_now(), from + 300);
    sut_note(argument);
}

static void test_many_join_and_one_gives_up(void **state)
{
    (void)state;
    set_up();
    other = sut_start("other", 9, wait_500_and_exit, NULL);
    sut_start("a", 2, join_for_ever, "a");
    sut_start("b", 3, join_for_ever, "b");
    sut_start("c", 4, join_in_vain, "c");
    sut_start("d", 3, join_for_ever, "d");
    sut_run(1000);
    assert_string_equal(sut_notes, "c exit b d a ");
}

static void spin(void *argument)
{
    for (int i = 0; i < 4; i++) {
        sut_note(argument);
        hrlp_host_consume(100);
    }
}

static void suspender(void *argument)
{
    (void)argument;
    hrl_thread_sleep_for(150);
    assert_int_equal(hrl_thread_state_of(other), HRL_THREAD_READY);
    hrl_thread_suspend(other);
    hrl_thread_suspend(other);
    assert_int_equal(hrl_thread_state_of(other), HRL_THREAD_SUSPENDED);
    sut_note("suspended");
    hrl_thread_sleep_for(1000);
    hrl_thread_resume(other);
    assert_int_equal(hrl_thread_state_of(other), HRL_THREAD_READY);
    hrl_thread_resume(other);
    sut_note("resumed");
}

static void test_a_suspended_thread_stands_still(void **state)
{
    (void)state;
    set_up();
    other = sut_start("other", 1, spin, "x");
    sut_start("suspender", 2, suspender, NULL);
    sut_run(3000);
    assert_string_equal(sut_notes, "x x suspended resumed x x ");
}

static void suspend_itself(void *argument)
{
    sut_note(argument);
    hrl_thread_suspend(hrl_thread_current());
    sut_note("again");
}

static void resume_other(void)
{
    assert_int_equal(hrl_thread_state_of(other), HRL_THREAD_SUSPENDED);
    hrl_thread_resume(other);
}

static void resume_from_an_interrupt(void *argument)
{
    (void)argument;
    sut_interrupt_in(100, resume_other);
    hrlp_host_consume(200);
    sut_note("low");
}

static void test_it_suspends_itself_and_an_interrupt_resumes_it(void **state)
{
    (void)state;
    set_up();
    other = sut_start("other", 2, suspend_itself, "once");
    sut_start("low", 1, resume_from_an_interrupt, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "once again low ");
}

HRL_SEMAPHORE_DEFINE(tokens, 0, 5);
static hrl_counts patience;

static void take(void *argument)
{
    enum hrl_status status =
        hrl_semaphore_take(&tokens, patience == HRL_FOREVER ? patience : hrl_now() + patience);

    (void)argument;
    sut_note(status == HRL_OK ? "taken" : "timed-out");
}

static void give_while_suspended(void *argument)
{
    (void)argument;
    hrlp_host_consume(10);
    hrl_thread_suspend(other);
    hrl_semaphore_give(&tokens);
    hrlp_host_consume(1000);
    sut_note("resume");
    hrl_thread_resume(other);
}

static void test_what_a_suspended_thread_waits_for_is_given_to_it(void **state)
{
    static const hrl_counts patiences[] = {500, HRL_FOREVER};

    (void)state;
    for (int i = 0; i < 2; i++) {
        set_up();
        patience = patiences[i];
        other = sut_start("other", 2, take, NULL);
        sut_start("giver", 1, give_while_suspended, NULL);
        sut_run(3000);
        assert_string_equal(sut_notes, "resume taken ");
        assert_int_equal(hrl_semaphore_count(&tokens), 0);
    }
}

static void suspend_over_the_time_out(void *argument)
{
    (void)argument;
    hrlp_host_consume(10);
    hrl_thread_suspend(other);
    hrlp_host_consume(1000);
    sut_note("resume");
    hrl_thread_resume(other);
}

static void test_a_time_out_meanwhile_is_seen_after_the_resumption(void **state)
{
    (void)state;
    set_up();
    patience = 500;
    other = sut_start("other", 2, take, NULL);
    sut_start("low", 1, suspend_over_the_time_out, NULL);
    sut_run(3000);
    assert_string_equal(sut_notes, "resume timed-out ");
    assert_int_equal(hrl_semaphore_give(&tokens), HRL_OK);
    assert_int_equal(hrl_semaphore_take(&tokens, HRL_NO_WAIT), HRL_OK);
}

static void resume_one_that_still_waits(void *argument)
{
    (void)argument;
    hrl_thread_suspend(other);
    hrl_thread_resume(other);
    assert_int_equal(hrl_thread_state_of(other), HRL_THREAD_WAITING);
    sut_note("waits");
    hrl_semaphore_give(&tokens);
}

static void test_resumption_ends_no_wait(void **state)
{
    (void)state;
    set_up();
    patience = HRL_FOREVER;
    other = sut_start("other", 2, take, NULL);
    sut_start("low", 1, resume_one_that_still_waits, NULL);
    sut_run(3000);
    assert_string_equal(sut_notes, "waits taken ");
}

static void look(void *argument)
{
    (void)argument;
    assert_int_equal(hrl_thread_state_of(hrl_thread_current()), HRL_THREAD_RUNNING);
    assert_int_equal(hrl_thread_state_of(other), HRL_THREAD_WAITING);
    assert_int_equal(hrl_thread_state_of(third), HRL_THREAD_READY);
    assert_int_equal(hrl_thread_state_of(sut_thread(0)), HRL_THREAD_WAITING);
}

static void test_states(void **state)
{
    (void)state;
    set_up();
    sut_add_releaser((struct sut_releaser){.one_shot = true});
    sut_add_task((struct sut_task){
        .releaser = 1, .level = 20, .offset = 100, .period = sut_period(10000, 1)});
    other = sut_start("other", 3, wait_500_and_exit, NULL);
    sut_start("look", 2, look, NULL);
    third = sut_start("third", 1, note_argument, "third");
    sut_run(2000);
    assert_string_equal(sut_notes, "third exit ");
    assert_int_equal(hrl_thread_stack_unused(third), SUT_STACK_BYTES);
}

/* Misuse. */

static void start_other(void *argument)
{
    (void)argument;
    hrl_thread_start(other);
}

static void start_self(void *argument)
{
    (void)argument;
    hrl_thread_start(hrl_thread_current());
}

static void join_self(void *argument)
{
    (void)argument;
    (void)hrl_thread_join(hrl_thread_current(), HRL_FOREVER);
}

static void join_self_in_vain(void *argument)
{
    assert_int_equal(hrl_thread_join(hrl_thread_current(), HRL_NO_WAIT), HRL_WOULD_WAIT);
    sut_note(argument);
}

static void test_a_thread_that_does_not_wait_may_ask_for_its_own_end(void **state)
{
    (void)state;
    set_up();
    sut_start("self", 1, join_self_in_vain, "not yet");
    sut_run(1000);
    assert_string_equal(sut_notes, "not yet ");
}

static void suspend_periodic(void *argument)
{
    (void)argument;
    hrl_thread_suspend(sut_thread(0));
}

static void start_periodic(void *argument)
{
    (void)argument;
    sut_thread(0)->entry = note_argument;
    hrl_thread_start(sut_thread(0));
}

static void suspend_other(void *argument)
{
    (void)argument;
    hrl_thread_suspend(other);
}

static void suspend_from_interrupt(void)
{
    hrl_thread_suspend(other);
}

static void start_from_interrupt(void)
{
    hrl_thread_start(other);
}

static void exit_from_interrupt(void)
{
    hrl_thread_exit();
}

static void suspend_self_masked(void *argument)
{
    (void)argument;
    (void)hrlp_irq_lock();
    hrl_thread_suspend(hrl_thread_current());
}

static void exit_masked(void *argument)
{
    (void)argument;
    (void)hrlp_irq_lock();
    hrl_thread_exit();
}

static void with_interrupt(void *handler)
{
    sut_interrupt_in(10, *(void (**)(void))handler);
    hrlp_host_consume(100);
}

static void ends_in(void (*entry)(void *), void *argument, const char *reason)
{
    sut_start("wrong", 2, entry, argument);
    sut_run_to_assertion(1000, reason);
    set_up();
    other = sut_define("other", 1, note_argument, "other");
}

static void test_misuse_is_found(void **state)
{
    static void (*const handlers[])(void) = {suspend_from_interrupt, start_from_interrupt,
                                             exit_from_interrupt};
    void *argument[3];

    (void)state;
    for (int i = 0; i < 3; i++) {
        argument[i] = (void *)(uintptr_t)&handlers[i];
    }
    set_up();
    other = sut_define("other", 32, note_argument, "other");
    ends_in(start_other, NULL, "a thread's priority is from 1 to HRL_PRIORITIES - 1");
    other->ready.base_priority = 0;
    ends_in(start_other, NULL, "a thread's priority is from 1 to HRL_PRIORITIES - 1");
    other->entry = NULL;
    ends_in(start_other, NULL, "hrl_thread_start: the thread has no entry function");
    ends_in(start_self, NULL, "a thread started twice");
    ends_in(join_self, NULL, "hrl_thread_join: a thread must not join itself");
    ends_in(suspend_self_masked, NULL,
            "hrl_thread_suspend of the caller: not with interrupts masked");
    ends_in(exit_masked, NULL, "hrl_thread_exit: not with interrupts masked");
    ends_in(suspend_other, NULL,
            "hrl_thread_suspend: the thread is not started, is periodic, or is the idle thread");
    ends_in(with_interrupt, argument[0], "hrl_thread_suspend: for threads, and before hrl_start");
    ends_in(with_interrupt, argument[1], "hrl_thread_start: for threads, and before hrl_start");
    ends_in(with_interrupt, argument[2], "hrl_thread_exit: for threads, not the idle thread");
    sut_reset(); /* before hrl_start */
    sut_call_to_assertion(hrl_thread_exit, "hrl_thread_exit: for threads, not the idle thread");
}

#if HRL_CORES > 1 /* as there is another core only then */
#include "hrlp_upcalls.h"
#include "two_cores.h"

static void ask_for_other(void *argument)
{
    (void)argument;
    (void)hrl_thread_state_of(other);
}

static void start_on_core_1(void *argument)
{
    (void)argument;
    other->core = 1;
    hrl_thread_start(other);
    sut_note(two_cores_rings[1] == 1 && hrli_is_woken(other) ? "listed" : "lost");
}

static void test_a_thread_is_started_on_another_core(void **state)
{
    (void)state;
    set_up();
    other = sut_define("other", 1, note_argument, "other");
    two_cores_rings[1] = 0;
    sut_start("starts", 2, start_on_core_1, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "listed ");
    assert_int_equal(other->life, HRLI_STARTED);
}

static unsigned locks_to_go;

/* The third time that the lock is given, core 1 has switched from the thread that has ended. */
static void leave_the_stack(void)
{
    if (--locks_to_go == 0) {
        two_cores_of(1)->running = NULL;
    }
}

static void start_again_on_core_1(void *argument)
{
    (void)argument;
    other->core = 1;
    other->life = HRLI_ENDED;
    two_cores_of(1)->running = other;
    locks_to_go = 4; /* one is that of the check */
    two_cores_after_lock = leave_the_stack;
    hrl_thread_start(other);
    two_cores_after_lock = NULL;
    assert_null(two_cores_of(1)->running);
    sut_note(two_cores_rings[1] == 1 && hrli_is_woken(other) ? "listed" : "lost");
}

static void
test_a_thread_that_has_ended_on_another_core_is_started_once_it_has_left_its_stack(void **state)
{
    (void)state;
    set_up();
    other = sut_define("other", 1, note_argument, "other");
    two_cores_rings[1] = 0;
    sut_start("starts", 2, start_again_on_core_1, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "listed ");
    assert_int_equal(other->life, HRLI_STARTED);
}

static void test_only_its_core_knows_what_a_periodic_thread_does(void **state)
{
    (void)state;
    set_up();
    other = sut_define("other", 1, note_argument, "other");
    other->core = 1;
    other->life = HRLI_PERIODIC;
    ends_in(ask_for_other, NULL, "hrl_thread_state_of: a periodic thread of another core");
}

/* What core 1 does to `other`, a thread of this one: it leaves word. */
static void on_core_1(bool suspended, uint32_t priority)
{
    hrlp_irq_state state = hrli_sync_lock();

    other->suspended = suspended;
    if (priority != 0) {
        other->ready.base_priority = (hrli_kept_level)priority;
    }
    two_cores_number = 1;
    hrli_change_soon(other);
    two_cores_number = 0;
    hrli_sync_unlock(state);
}

static void rung(void)
{
    two_cores_deliver(0);
    hrli_core_rung();
}

static void resume_on_core_1(void)
{
    on_core_1(false, 0);
    rung();
}

static void suspend_on_core_1(void)
{
    on_core_1(true, 0);
    rung();
}

static void suspend_for_400(void)
{
    sut_interrupt_in(400, resume_on_core_1);
    suspend_on_core_1();
}

static void run_while_core_1_suspends(void *argument)
{
    (void)argument;
    sut_interrupt_in(100, suspend_for_400);
    hrlp_host_consume(200);
    sut_note(hrl_now() >= 500 ? "late" : "early");
}

static void test_the_running_thread_is_suspended_and_resumed_by_another_core(void **state)
{
    (void)state;
    set_up();
    other = sut_start("other", 2, run_while_core_1_suspends, NULL);
    sut_start("low", 1, note_argument, "low");
    sut_run(1000);
    assert_string_equal(sut_notes, "low late ");
}

static void hold_dispatch_off(void *argument)
{
    (void)argument;
    hrli_core_lock_dispatch();
    suspend_on_core_1();
    sut_note(hrl_thread_state_of(other) == HRL_THREAD_RUNNING ? "goes_on" : "stopped");
    hrli_core_allow_dispatch(HRL_PRIORITIES); /* as in a service that is called in a service */
    sut_note("still");
    hrli_core_unlock_dispatch();
    sut_note("resumed");
}

static void resume_later(void *argument)
{
    sut_note(hrl_thread_state_of(other) == HRL_THREAD_SUSPENDED ? argument : "wrong");
    resume_on_core_1();
    sut_note("end");
}

static void test_a_suspension_by_another_core_waits_until_dispatch_is_allowed(void **state)
{
    (void)state;
    set_up();
    other = sut_start("other", 2, hold_dispatch_off, NULL);
    sut_start("low", 1, resume_later, "low");
    sut_run(1000);
    assert_string_equal(sut_notes, "goes_on still low resumed end ");
}

/* It leaves the ready queue by itself, with dispatch held off. */
static void wait_when_suspended(void *argument)
{
    (void)argument;
    hrli_core_lock_dispatch();
    suspend_on_core_1();
    hrl_thread_sleep_until(300);
    sut_note("slept");
}

static void test_a_thread_waits_that_another_core_has_suspended(void **state)
{
    (void)state;
    set_up();
    other = sut_start("other", 2, wait_when_suspended, NULL);
    sut_start("low", 1, resume_later, "low");
    sut_run(1000);
    assert_string_equal(sut_notes, "low end slept ");
}

static void lower_itself_by_core_1(void *argument)
{
    (void)argument;
    on_core_1(false, 1);
    rung();
    sut_note("lowered");
}

static void test_the_running_thread_has_a_lower_priority_by_another_core(void **state)
{
    (void)state;
    set_up();
    other = sut_start("other", 3, lower_itself_by_core_1, NULL);
    sut_start("middle", 2, note_argument, "middle");
    sut_run(1000);
    assert_string_equal(sut_notes, "middle lowered ");
    assert_int_equal(other->ready.priority, 1);
}
#endif

static void exit_a_job(void)
{
    hrl_thread_exit();
}

static void test_a_periodic_thread_cannot_end(void **state)
{
    (void)state;
    set_up();
    sut_add_releaser((struct sut_releaser){.one_shot = true});
    sut_add_task((struct sut_task){
        .releaser = 1, .level = 20, .period = sut_period(10000, 1), .body = exit_a_job});
    sut_run_to_assertion(1000, "hrl_thread_exit: a periodic or idle thread must not end");
}

static void start_suspended_then_resume(void *argument)
{
    (void)argument;
    hrl_thread_start_suspended(other);
    assert_int_equal(hrl_thread_state_of(other), HRL_THREAD_SUSPENDED);
    sut_note("suspended");
    hrl_thread_sleep_for(100);
    hrl_thread_resume(other);
    sut_note("resumed");
}

static void test_a_thread_can_start_suspended(void **state)
{
    (void)state;
    for (int again = 0; again < 2; again++) { /* once it has ended, too */
        set_up();
        other = sut_define("other", 9, note_argument, "other");
        sut_start("starter", 2, start_suspended_then_resume, NULL);
        if (again) {
            hrl_thread_start(other);
        }
        assert_string_equal(sut_run(1000), "done");
        assert_string_equal(sut_notes,
                            again ? "other suspended other resumed " : "suspended other resumed ");
        assert_int_equal(hrl_thread_state_of(other), HRL_THREAD_ENDED);
    }
}

static void note_and_resume(void *argument)
{
    (void)argument;
    sut_note("resumes");
    hrl_thread_resume(other);
}

static void test_threads_are_suspended_and_resumed_before_the_start(void **state)
{
    (void)state;
    for (int resumed = 0; resumed < 2; resumed++) {
        set_up();
        other = sut_define("other", 9, note_argument, "other");
        hrl_thread_resume(other); /* nothing happens, as nothing has been started */
        third = sut_define("third", 9, note_argument, "third");
        hrl_thread_start_suspended(third);
        hrl_thread_start(other);
        hrl_thread_suspend(other);
        sut_start("resumer", 2, note_and_resume, NULL);
        if (resumed) {
            hrl_thread_resume(third);
            hrl_thread_resume(other);
        }
        assert_false(hrlp_host_take_switch()); /* there is nothing to switch from */
        assert_string_equal(sut_run(1000), "done");
        assert_string_equal(sut_notes, resumed ? "third other resumes " : "resumes other ");
    }
}

static hrl_counts one_count(void)
{
    return 1;
}

static uint32_t states; /* seen of the thread that is being started, a bit each */

static void give(void)
{
    states |= (uint32_t)1 << hrl_thread_state_of(other);
    (void)hrl_semaphore_give(&tokens);
}

static void start_when_woken(void *argument)
{
    (void)argument;
    (void)hrl_semaphore_take(&tokens, HRL_FOREVER);
    hrl_thread_start(other);
}

static void start_while_interrupted(void *argument)
{
    sut_interrupt_in(*(hrl_counts *)argument, give);
    hrl_thread_start(other);
    hrlp_host_consume(100);
}

/* The second starter comes at every step of the first. Each time one of them is one too many. */
static void test_two_starters_of_one_thread_are_found(void **state)
{
    (void)state;
    for (hrl_counts when = 1; when < 40; when++) {
        set_up();
        tokens.count = 0;
        tokens.waiters.first = NULL;
        other = sut_define("other", 1, note_argument, "other");
        sut_start("second", 9, start_when_woken, NULL);
        sut_start("first", 2, start_while_interrupted, &when);
        hrlp_host_setup.port_call_counts = one_count;
        sut_run_to_assertion(10000, "a thread started twice");
    }
    assert_int_equal(states, 1u << HRL_THREAD_DORMANT | 1u << HRL_THREAD_READY);
}

static void test_a_periodic_thread_is_not_started_or_suspended(void **state)
{
    static void (*const wrong[])(void *) = {start_periodic, suspend_periodic};
    static const char *const reasons[] = {
        "hrl_thread_start: the thread has no entry function",
        "hrl_thread_suspend: the thread is not started, is periodic, or is the idle thread"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        set_up();
        sut_add_releaser((struct sut_releaser){.one_shot = true});
        sut_add_task((struct sut_task){.releaser = 1, .level = 20, .period = sut_period(10000, 1)});
        sut_start("wrong", 2, wrong[i], NULL);
        sut_run_to_assertion(1000, reasons[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_started_before_the_start_they_run_by_level_and_then_in_order),
        cmocka_unit_test(test_a_more_urgent_thread_runs_at_once),
        cmocka_unit_test(test_an_ended_thread_can_be_started_again),
        cmocka_unit_test(test_many_join_and_one_gives_up),
        cmocka_unit_test(test_a_suspended_thread_stands_still),
        cmocka_unit_test(test_it_suspends_itself_and_an_interrupt_resumes_it),
        cmocka_unit_test(test_what_a_suspended_thread_waits_for_is_given_to_it),
        cmocka_unit_test(test_a_time_out_meanwhile_is_seen_after_the_resumption),
        cmocka_unit_test(test_resumption_ends_no_wait),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_misuse_is_found),
#if HRL_CORES > 1 /* as above */
        cmocka_unit_test(
            test_a_thread_that_has_ended_on_another_core_is_started_once_it_has_left_its_stack),
        cmocka_unit_test(test_only_its_core_knows_what_a_periodic_thread_does),
        cmocka_unit_test(test_the_running_thread_is_suspended_and_resumed_by_another_core),
        cmocka_unit_test(test_a_suspension_by_another_core_waits_until_dispatch_is_allowed),
        cmocka_unit_test(test_a_thread_waits_that_another_core_has_suspended),
        cmocka_unit_test(test_the_running_thread_has_a_lower_priority_by_another_core),
        cmocka_unit_test(test_a_thread_is_started_on_another_core),
#endif
        cmocka_unit_test(test_a_periodic_thread_cannot_end),
        cmocka_unit_test(test_a_thread_can_start_suspended),
        cmocka_unit_test(test_threads_are_suspended_and_resumed_before_the_start),
        cmocka_unit_test(test_two_starters_of_one_thread_are_found),
        cmocka_unit_test(test_a_periodic_thread_is_not_started_or_suspended),
        cmocka_unit_test(test_a_thread_that_does_not_wait_may_ask_for_its_own_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
