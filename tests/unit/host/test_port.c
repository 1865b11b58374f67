/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_clock.h"
#include "hrlp_cpu.h"
#include "hrlp_host.h"
#include "hrlp_irq.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* The porting contract, of the host port: cells, lock, clock. */

/* The machine alone, after a run in which no thread did anything; interrupts enabled. */
static void power_on(void)
{
    sut_reset();
    for (int i = 0; i < 4; i++) {
        sut_add_releaser((struct sut_releaser){.one_shot = true});
    }
    sut_run(100);
    sut_event_count = 0;
    sut_bare_cells = true;
}

static hrl_stamp now(void)
{
    return (hrl_stamp)hrlp_host_now();
}

static void arm(unsigned channel, hrl_stamp due)
{
    hrlp_irq_state lock = hrlp_irq_lock();

    hrlp_host_arm(channel, due);
    hrlp_irq_unlock(lock);
}

static void test_an_armed_cell_interrupts_once_at_its_instant(void **state)
{
    (void)state;
    power_on();
    arm(0, now() + 50);
    hrlp_host_consume(1000);
    assert_int_equal(sut_count('I', 0), 1);
    assert_int_equal(sut_nth('I', 0, 0)->at, sut_zero() + 100 + 50);
}

static void test_the_latest_arming_counts(void **state)
{
    (void)state;
    power_on();
    arm(0, now() + 50);
    arm(0, now() + 70);
    hrlp_host_consume(1000);
    assert_int_equal(sut_count('I', 0), 1);
    assert_int_equal(sut_nth('I', 0, 0)->at, sut_zero() + 100 + 70);
}

static void test_arming_in_the_past_interrupts_at_once(void **state)
{
    (void)state;
    power_on();
    for (uint32_t late = 0; late < 0x7FFFFFFF; late = late * 2 + 1) {
        sut_event_count = 0;
        arm(2, now() - late);
        assert_int_equal(sut_count('I', 2), 1);
        assert_int_equal(sut_nth('I', 2, 0)->at, hrlp_host_now());
    }
}

static void test_a_disarmed_cell_is_silent(void **state)
{
    hrlp_irq_state lock;

    (void)state;
    power_on();
    arm(0, now() + 50);
    lock = hrlp_irq_lock();
    hrlp_host_disarm(0);
    hrlp_irq_unlock(lock);
    hrlp_host_consume(1000);
    assert_int_equal(sut_count('I', 0), 0);
}

static void test_locked_interrupts_wait_and_come_in_line_order(void **state)
{
    hrlp_irq_state outer, inner;

    (void)state;
    power_on();
    outer = hrlp_irq_lock();
    hrlp_host_arm(2, now() + 10);
    hrlp_host_arm(1, now() + 20);
    inner = hrlp_irq_lock();
    hrlp_host_consume(100);
    hrlp_irq_unlock(inner);
    assert_int_equal(sut_event_count, 0); /* locks nest */
    hrlp_irq_unlock(outer);
    assert_int_equal(sut_event_count, 2);
    assert_int_equal(sut_events[0].index, 1);
    assert_int_equal(sut_events[1].index, 2);
}

static void test_a_second_expiry_while_pending_is_lost(void **state)
{
    hrlp_irq_state lock;

    (void)state;
    power_on();
    lock = hrlp_irq_lock();
    hrlp_host_start_periodic(1, now() + 10, 100);
    hrlp_host_consume(1000);
    hrlp_irq_unlock(lock);
    assert_int_equal(sut_count('I', 1), 1);
    hrlp_host_consume(100);
    assert_int_equal(sut_count('I', 1), 2);
}

static void test_a_periodic_cell_keeps_its_phase(void **state)
{
    hrlp_irq_state lock;

    (void)state;
    power_on();
    lock = hrlp_irq_lock();
    hrlp_host_start_periodic(3, now() + 10, 77);
    hrlp_irq_unlock(lock);
    for (int i = 0; i < 100; i++) {
        hrlp_host_consume(31);
    }
    for (unsigned k = 0; k < 40; k++) {
        assert_int_equal(sut_nth('I', 3, k)->at, sut_zero() + 100 + 10 + 77 * k);
    }
}

static void test_the_clock_says_that_it_wrapped_until_that_was_handled(void **state)
{
    hrlp_irq_state lock;

    (void)state;
    sut_reset();
    hrlp_host_setup.clock_start = ((hrl_counts)1 << 32) - 5;
    hrlp_clock_start();
    lock = hrlp_irq_lock();
    assert_int_equal(hrlp_clock_read(), UINT32_MAX - 4);
    assert_false(hrlp_clock_wrap_pending());
    hrlp_host_consume(5);
    assert_int_equal(hrlp_clock_read(), 0);
    assert_true(hrlp_clock_wrap_pending());
    hrlp_irq_unlock(0);
    assert_false(hrlp_clock_wrap_pending());
    (void)lock;
}

static void test_the_highest_bit(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 32; bit++) {
        assert_int_equal(hrlp_cpu_highest_bit(1u << bit), bit);
        assert_int_equal(hrlp_cpu_highest_bit((2u << bit) - 1u), bit);
    }
}

static unsigned preempted_sum;

static void sum_up(void)
{
    for (unsigned i = 0; i < 100; i++) {
        hrlp_host_consume(100);
        preempted_sum += i; /* locals live on the fiber's own stack over the preemptions */
    }
}

static void test_bodies_are_preempted_where_they_let_time_pass(void **state)
{
    (void)state;
    sut_reset();
    preempted_sum = 0;
    sut_add_releaser((struct sut_releaser){.one_shot = true});
    sut_add_task(
        (struct sut_task){.level = 1, .period = sut_period(100000, 1), .cost = 1, .body = sum_up});
    sut_add_task((struct sut_task){.level = 2, .period = sut_period(150, 1), .cost = 30});
    assert_string_equal(sut_run(90000), "done");
    assert_int_equal(preempted_sum, 4950);
    assert_int_equal(sut_nth('E', 0, 0)->value, 10001);
    assert_int_equal(sut_nth('E', 0, 0)->at, sut_zero() + 12521); /* 84 preemptions of 30 */
}

static unsigned open_tasks[4], open_count;
static hrl_counts open_executed[4];

static void note_open_job(unsigned task, hrl_counts executed)
{
    open_tasks[open_count] = task;
    open_executed[open_count++] = executed;
}

static void test_a_busy_run_is_given_up_at_the_limit(void **state)
{
    (void)state;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true});
    sut_add_task((struct sut_task){.level = 1, .period = sut_period(100000, 1), .cost = 50000});
    sut_add_task((struct sut_task){
        .level = 2, .offset = 300, .period = sut_period(100000, 1), .cost = 50000});
    hrlp_host_setup.limit = 1000;
    assert_string_equal(sut_run(500), "busy");
    assert_int_equal(hrlp_host_now(), sut_zero() + 1000);
    open_count = 0;
    hrlp_host_open_jobs(note_open_job);
    assert_int_equal(open_count, 2);
    assert_int_equal(open_tasks[0], 0);
    assert_int_equal(open_executed[0], 300);
    assert_int_equal(open_tasks[1], 1);
    assert_int_equal(open_executed[1], 700);
}

/* An interrupt of the window's last instant is outside when the system is idle then. */
static void test_idle_at_the_windows_end_ends_the_run(void **state)
{
    (void)state;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.cell_period = 1000});
    sut_run(5000);
    assert_int_equal(hrlp_host_now(), sut_zero() + 5000);
    assert_int_equal(sut_count('I', 0), 5);
}

/* The port refuses what the contract forbids: each call below must abort. */
static void arm_unlocked(void)
{
    hrlp_host_arm(0, now() + 10);
}

static void arm_too_far(void)
{
    (void)hrlp_irq_lock();
    hrlp_host_arm(3, now() + (1u << 24));
}

static void start_too_late(void)
{
    (void)hrlp_irq_lock();
    hrlp_host_start_periodic(0, now(), 10);
}

static void arm_no_cell(void)
{
    (void)hrlp_irq_lock();
    hrlp_host_arm(HRLP_HOST_CELLS, now() + 10);
}

static void test_what_the_contract_forbids_aborts(void **state)
{
    static void (*const crimes[])(void) = {arm_unlocked, arm_too_far, start_too_late, arm_no_cell};

    (void)state;
    for (unsigned i = 0; i < sizeof crimes / sizeof crimes[0]; i++) {
        int status;
        pid_t child = fork();

        if (child == 0) {
            power_on();
            (void)!freopen("/dev/null", "w", stderr);
            signal(SIGABRT, SIG_DFL);
            crimes[i]();
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_armed_cell_interrupts_once_at_its_instant),
        cmocka_unit_test(test_the_latest_arming_counts),
        cmocka_unit_test(test_arming_in_the_past_interrupts_at_once),
        cmocka_unit_test(test_a_disarmed_cell_is_silent),
        cmocka_unit_test(test_locked_interrupts_wait_and_come_in_line_order),
        cmocka_unit_test(test_a_second_expiry_while_pending_is_lost),
        cmocka_unit_test(test_a_periodic_cell_keeps_its_phase),
        cmocka_unit_test(test_the_clock_says_that_it_wrapped_until_that_was_handled),
        cmocka_unit_test(test_the_highest_bit),
        cmocka_unit_test(test_bodies_are_preempted_where_they_let_time_pass),
        cmocka_unit_test(test_a_busy_run_is_given_up_at_the_limit),
        cmocka_unit_test(test_idle_at_the_windows_end_ends_the_run),
        cmocka_unit_test(test_what_the_contract_forbids_aborts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
