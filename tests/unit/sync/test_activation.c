/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include "hrlp_irq.h"
#include "with_cmocka.h"
#include <string.h>

/* The host's threads do not leave by themselves; here they do where `leaves` says so. */
static bool leaves;
static void (*leave(void (*kept)(void)))(void);
static void leave_to(void **from, void *to);
#undef HRLP_CPU_LEAVES
#define HRLP_CPU_LEAVES leaves
#define hrlp_cpu_leave leave
#define hrlp_cpu_leave_to leave_to
#include "activation.h"
#include "system_under_test.h"

/* The interrupt by itself, as test_single_thread.c. */
static struct hrl_thread idle, low, high, other;
static struct hrl_semaphore semaphore;
static struct hrli_preempted preempted;
static struct hrl_thread *left;
static void *asked; /* what the general handler got */
static int stack;
static unsigned dispatches; /* that a thread has left by */
static void **left_from;    /* what it was left by to a thread, and that one's stack pointer */
static void *left_to;

/* The dispatch that it would come to has tests of its own. */
static void (*leave(void (*kept)(void)))(void)
{
    assert_false(hrlp_irq_is_masked());
    assert_int_equal(hrli_core.threshold, HRL_PRIORITIES); /* no other dispatch is asked for */
    dispatches++;
    return kept;
}

static void leave_to(void **from, void *to)
{
    assert_true(hrlp_irq_is_masked());
    left_from = from;
    left_to = to;
    hrlp_irq_unmask();
}

static void ready(struct hrl_thread *thread, uint32_t level)
{
    thread->ready.priority = (uint16_t)level;
    hrli_ready_add(&hrli_core.ready, &thread->ready);
}

static void waits(struct hrl_thread *thread, uint32_t level)
{
    thread->ready.priority = (uint16_t)level;
    thread->wait_status = HRLI_WAITING;
    thread->wait.queue = &semaphore.waiters;
    hrli_wait_queue_insert(&semaphore.waiters.first, thread);
}

static void note_leaving(struct hrl_thread *thread)
{
    assert_ptr_equal(thread, hrli_core.running);
    left = thread;
}

static struct hrlp_cpu_end general(void *interrupted)
{
    asked = interrupted;
    return (struct hrlp_cpu_end){NULL, interrupted};
}

static struct hrlp_cpu_end interrupt(void)
{
    return hrli_activation_interrupt(&stack, &semaphore, &preempted, note_leaving, general);
}

/* `low` runs and `high` waits. */
static int set_up(void **state)
{
    (void)state;
    sut_reset();
    hrlp_irq_unlock(HRLP_IRQ_UNLOCKED);
    memset(&hrli_core, 0, sizeof hrli_core);
    memset(&low, 0, sizeof low);
    memset(&high, 0, sizeof high);
    memset(&other, 0, sizeof other);
    memset(&preempted, 0, sizeof preempted);
    semaphore = (struct hrl_semaphore)HRL_SEMAPHORE_INIT(0, 1);
    hrli_ready_init(&hrli_core.ready);
    ready(&idle, 0);
    ready(&low, 3);
    hrli_core.running = &low;
    hrli_core.threshold = 3;
    waits(&high, 9);
    high.stack_pointer = &high; /* anything unique */
    high.ready.base_priority = 9;
    left = NULL;
    asked = NULL;
    left_from = NULL;
    dispatches = 0;
    leaves = true;
    return 0;
}

static void test_the_usual_case_is_an_activation_and_a_switch(void **state)
{
    struct hrlp_cpu_end end = interrupt();

    (void)state;
    assert_ptr_equal(end.to, &high);
    assert_ptr_equal(end.from, hrlp_cpu_saved(&stack));
    assert_ptr_equal(low.stack_pointer, hrlp_cpu_saved(&stack));
    assert_ptr_equal(hrli_core.running, &high);
    assert_int_equal(hrli_core.threshold, 9);
    assert_ptr_equal(left, &low);
    assert_null(asked);
    assert_null(semaphore.waiters.first);
    assert_int_equal(semaphore.count, 0);
    assert_int_equal(high.wait_status, HRL_OK);
    assert_ptr_equal(preempted.thread, &low);
    assert_int_equal(preempted.level, 3);
    assert_ptr_equal(hrli_ready_first(&hrli_core.ready), &high.ready);
}

/* Nothing has changed, and the general handler does what is to be done. */
static void assert_general(void)
{
    struct hrl_thread *first = semaphore.waiters.first;
    struct hrlp_cpu_end end = interrupt();

    assert_ptr_equal(asked, &stack);
    assert_null(end.to);
    assert_ptr_equal(end.from, &stack);
    assert_null(left);
    assert_null(preempted.thread);
    assert_ptr_equal(semaphore.waiters.first, first);
    assert_ptr_equal(hrli_core.running, &low);
}

static void test_a_thread_that_does_not_wait(void **state)
{
    (void)state;
    semaphore.waiters.first = NULL;
    assert_general();
}

static void test_two_threads_that_wait(void **state)
{
    (void)state;
    waits(&other, 9);
    assert_general();
    (void)hrli_wait_queue_pop(&semaphore.waiters);
    (void)hrli_wait_queue_pop(&semaphore.waiters);
    waits(&high, 9);
    waits(&other, 5);
    assert_general();
}

static void test_a_thread_that_is_suspended(void **state)
{
    (void)state;
    high.suspended = true;
    assert_general();
}

static void test_a_thread_that_is_not_more_urgent(void **state)
{
    (void)state;
    high.ready.priority = 3;
    assert_general();
}

static void test_dispatch_held_off(void **state)
{
    (void)state;
    hrli_core.threshold = HRL_PRIORITIES;
    assert_general();
}

static void test_another_thread_is_as_urgent_and_not_dispatched_yet(void **state)
{
    (void)state;
    ready(&other, 9);
    assert_general();
}

static void wait_for_activation(void)
{
    hrli_activation_wait(&semaphore, &preempted);
}

static void assert_high_waits_alone(void)
{
    assert_ptr_equal(semaphore.waiters.first, &high);
    assert_ptr_equal(high.wait.queue, &semaphore.waiters);
    assert_int_equal(high.wait_status, HRLI_WAITING);
    assert_ptr_equal(hrli_ready_first(&hrli_core.ready),
                     hrli_core.running == &low ? &low.ready : &other.ready);
    assert_false(hrlp_irq_is_masked());
}

/* Release masks take the search. */
static bool knows_the_top(void)
{
    return hrli_ready_is_top(&hrli_core.ready, &low.ready, 3);
}

static void test_a_job_that_ends_goes_back_to_the_thread_it_has_preempted(void **state)
{
    (void)state;
    for (unsigned turn = 0; turn < 2; turn++) { /* and can be activated again */
        assert_ptr_equal(interrupt().to, &high);
        wait_for_activation();
        if (!knows_the_top()) {
            assert_int_equal(dispatches, 1);
            return;
        }
        assert_int_equal(dispatches, 0);
        assert_ptr_equal(left_from, &high.stack_pointer);
        assert_ptr_equal(left_to, hrlp_cpu_saved(&stack));
        assert_ptr_equal(hrli_core.running, &low);
        assert_int_equal(hrli_core.threshold, 3);
        assert_high_waits_alone();
    }
}

static void test_a_job_that_ends_behind_a_more_urgent_thread_is_dispatched(void **state)
{
    (void)state;
    (void)interrupt();
    ready(&other, 5);
    wait_for_activation();
    assert_int_equal(dispatches, 1);
    assert_null(left_from);
    assert_ptr_equal(hrli_core.running, &high); /* up to the dispatch */
    assert_high_waits_alone();
}

static void test_a_job_that_was_activated_meanwhile_leaves_nothing(void **state)
{
    (void)state;
    (void)interrupt();
    semaphore.count = 1;
    wait_for_activation();
    assert_int_equal(semaphore.count, 0);
    assert_null(semaphore.waiters.first);
    assert_null(left_from);
    assert_int_equal(dispatches, 0);
    assert_ptr_equal(hrli_core.running, &high);
    assert_ptr_equal(hrli_ready_first(&hrli_core.ready), &high.ready);
    assert_false(hrlp_irq_is_masked());
}

/* On a port without threads that leave by themselves the wait is the semaphore's. */
static struct hrl_semaphore given = HRL_SEMAPHORE_INIT(1, 1);

static void wait_twice(void *unused)
{
    (void)unused;
    hrli_activation_wait(&given, &preempted);
    sut_note("taken");
    hrli_activation_wait(&given, &preempted);
    sut_note("given");
}

static void give(void)
{
    (void)hrl_semaphore_give(&given);
}

static void test_the_wait_takes_what_there_is(void **state)
{
    (void)state;
    sut_reset();
    leaves = false;
    sut_start("thread", 3, wait_twice, NULL);
    sut_interrupt_in(100, give);
    sut_run(1000);
    assert_string_equal(sut_notes, "taken given ");
}

/* On one with them it is so behind a thread that waits already; both wait until something is given. */
static struct hrl_semaphore shared = HRL_SEMAPHORE_INIT(0, 1);

static void take(void *unused)
{
    (void)unused;
    (void)hrl_semaphore_take_forever(&shared);
    sut_note("first");
}

static void wait_behind(void *unused)
{
    (void)unused;
    hrli_activation_wait(&shared, &preempted);
    sut_note("second");
}

static void give_shared(void)
{
    static unsigned gives;

    sut_note("give");
    (void)hrl_semaphore_give(&shared);
    if (++gives == 1) {
        sut_interrupt_in(100, give_shared);
    }
}

static void test_a_thread_behind_another_waits_as_that_one_does(void **state)
{
    (void)state;
    sut_reset();
    leaves = true;
    dispatches = 0;
    left_from = NULL;
    sut_start("first", 4, take, NULL);
    sut_start("second", 3, wait_behind, NULL);
    sut_interrupt_in(100, give_shared);
    sut_run(1000);
    assert_string_equal(sut_notes, "give first give second ");
    assert_int_equal(dispatches, 0);
    assert_null(left_from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_usual_case_is_an_activation_and_a_switch, set_up),
        cmocka_unit_test_setup(test_a_thread_that_does_not_wait, set_up),
        cmocka_unit_test_setup(test_two_threads_that_wait, set_up),
        cmocka_unit_test_setup(test_a_thread_that_is_suspended, set_up),
        cmocka_unit_test_setup(test_a_thread_that_is_not_more_urgent, set_up),
        cmocka_unit_test_setup(test_dispatch_held_off, set_up),
        cmocka_unit_test_setup(test_another_thread_is_as_urgent_and_not_dispatched_yet, set_up),
        cmocka_unit_test_setup(test_a_job_that_ends_goes_back_to_the_thread_it_has_preempted,
                               set_up),
        cmocka_unit_test_setup(test_a_job_that_ends_behind_a_more_urgent_thread_is_dispatched,
                               set_up),
        cmocka_unit_test_setup(test_a_job_that_was_activated_meanwhile_leaves_nothing, set_up),
        cmocka_unit_test(test_the_wait_takes_what_there_is),
        cmocka_unit_test(test_a_thread_behind_another_waits_as_that_one_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
