/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "hrlp_upcalls.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/interrupt.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>

/* Lines and the lock; what an interrupt does is the test's own, in the place of attach.c. */
enum { LOW = HRLP_HOST_CLOCK_LINE + 2, HIGH };

HRL_SEMAPHORE_DEFINE(semaphore, 0, 9);
static void (*on_low)(void), (*on_high)(void);

void hrli_interrupt_taken(int line)
{
    void (*handler)(void) = line == LOW ? on_low : on_high;

    sut_note(line == LOW ? "low" : "high");
    if (handler != NULL) {
        handler();
    }
    sut_note("end");
}

static void run(void (*entry)(void *argument))
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    semaphore = (struct hrl_semaphore){.limit = 9};
    on_low = on_high = NULL;
    sut_start("main", 1, entry, NULL);
    sut_run(1000);
}

static void lock_twice(void *argument)
{
    hrl_interrupt_state outer = hrl_interrupt_lock(), inner = hrl_interrupt_lock();

    (void)argument;
    assert_int_equal(outer, HRLP_IRQ_UNLOCKED);
    (void)hrl_interrupt_enable(LOW, HRL_INTERRUPT_LOWEST);
    (void)hrl_interrupt_enable(HIGH, HRL_INTERRUPT_KERNEL);
    (void)hrl_interrupt_raise(LOW);
    (void)hrl_interrupt_raise(HIGH);
    hrl_interrupt_unlock(inner);
    sut_note("inner");
    hrl_interrupt_unlock(outer);
    sut_note("outer");
}

static void test_the_lock_nests_and_then_the_most_urgent_comes_first(void **state)
{
    (void)state;
    run(lock_twice);
    assert_string_equal(sut_notes, "inner high end low end outer ");
}

static void raise_under_lock(void *argument)
{
    hrl_interrupt_state state = hrl_interrupt_lock();

    (void)argument;
    (void)hrl_interrupt_enable(LOW, HRL_INTERRUPT_KERNEL);
    for (uint32_t priority = HRL_INTERRUPT_KERNEL + 1; priority <= HRL_INTERRUPT_HIGHEST;
         priority++) {
        assert_int_equal(hrl_interrupt_enable(HIGH, priority), HRL_OK);
        (void)hrl_interrupt_raise(LOW);
        (void)hrl_interrupt_raise(HIGH);
        sut_note("locked");
    }
    hrl_interrupt_unlock(state);
}

static void test_above_the_kernel_the_lock_keeps_nothing_out(void **state)
{
    (void)state;
    run(raise_under_lock);
    assert_string_equal(sut_notes,
                        "high end locked high end locked high end locked high end locked "
                        "low end ");
}

static void raise_high(void)
{
    (void)hrl_interrupt_raise(HIGH);
}

static void raise_low(void)
{
    (void)hrl_interrupt_raise(LOW);
}

static void nest(void *argument)
{
    (void)argument;
    (void)hrl_interrupt_enable(LOW, 1);
    (void)hrl_interrupt_enable(HIGH, 2);
    on_low = raise_high;
    (void)hrl_interrupt_raise(LOW);
    on_low = NULL;
    on_high = raise_low;
    (void)hrl_interrupt_raise(HIGH);
}

static void test_the_more_urgent_interrupts_and_the_less_urgent_waits(void **state)
{
    (void)state;
    run(nest);
    assert_string_equal(sut_notes, "low high end end high end low end ");
}

static void lock_in_handler(void)
{
    hrl_interrupt_state state = hrl_interrupt_lock();

    raise_high();
    sut_note("locked");
    hrl_interrupt_unlock(state);
}

static void nest_locked(void *argument)
{
    (void)argument;
    (void)hrl_interrupt_enable(LOW, 1);
    (void)hrl_interrupt_enable(HIGH, 2);
    on_low = lock_in_handler;
    (void)hrl_interrupt_raise(LOW);
}

static void test_a_handler_may_lock(void **state)
{
    (void)state;
    run(nest_locked);
    assert_string_equal(sut_notes, "low locked high end end ");
}

static void use_disabled(void *argument)
{
    (void)argument;
    (void)hrl_interrupt_raise(LOW);
    sut_note("raised");
    (void)hrl_interrupt_enable(LOW, 2);
    hrl_interrupt_disable(LOW);
    (void)hrl_interrupt_raise(LOW);
    hrl_interrupt_disable(LOW);
    sut_note("again");
    (void)hrl_interrupt_enable(LOW, 2);
}

static void test_what_a_disabled_line_was_raised_for_comes_when_it_is_enabled(void **state)
{
    (void)state;
    run(use_disabled);
    assert_string_equal(sut_notes, "raised low end again low end ");
}

/* A cell's interrupt, at the kernel's priority, comes in the middle of a less urgent handler, and on time. */
static void note_cell(void)
{
    sut_note("cell");
}

static void let_time_pass(void)
{
    sut_interrupt_in(50, note_cell);
    hrlp_host_consume(100);
}

static void use_time(void *argument)
{
    (void)argument;
    (void)hrl_interrupt_enable(LOW, 2);
    (void)hrl_interrupt_enable(HIGH, HRL_INTERRUPT_KERNEL);
    on_low = on_high = let_time_pass;
    (void)hrl_interrupt_raise(LOW);
    (void)hrl_interrupt_raise(HIGH);
}

static void test_a_cell_interrupts_what_is_less_urgent(void **state)
{
    (void)state;
    run(use_time);
    assert_string_equal(sut_notes, "low cell end high end cell ");
}

static void enable_at_0(void *argument)
{
    (void)argument;
    (void)hrl_interrupt_enable(LOW, 0);
}

static void enable_at_8(void *argument)
{
    (void)argument;
    (void)hrl_interrupt_enable(LOW, HRL_INTERRUPT_HIGHEST + 1);
}

static void enable_no_line(void *argument)
{
    (void)argument;
    (void)hrl_interrupt_enable(HRLP_IRQ_LINES, 1);
}

static void disable_no_line(void *argument)
{
    (void)argument;
    hrl_interrupt_disable(HRLP_IRQ_LINES);
}

static void raise_no_line(void *argument)
{
    (void)argument;
    (void)hrl_interrupt_raise(HRLP_IRQ_LINES);
}

static void take_locked(void *argument)
{
    hrl_interrupt_state state = hrl_interrupt_lock();

    (void)argument;
    (void)hrl_semaphore_take(&semaphore, HRL_FOREVER);
    hrl_interrupt_unlock(state);
}

static void test_misuse_is_stopped(void **state)
{
    static const struct {
        void (*call)(void *argument);
        const char *reason;
    } cases[] = {
        {enable_at_0, "an interrupt's priority is from 1 to 7"},
        {enable_at_8, "an interrupt's priority is from 1 to 7"},
        {enable_no_line, "an interrupt line that does not exist"},
        {disable_no_line, "an interrupt line that does not exist"},
        {raise_no_line, "an interrupt line that does not exist"},
        {take_locked, "hrl_semaphore_take that may wait: not with interrupts masked"},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sut_reset();
        sut_start("culprit", 1, cases[i].call, NULL);
        sut_run_to_assertion(1000, cases[i].reason);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_lock_nests_and_then_the_most_urgent_comes_first),
        cmocka_unit_test(test_above_the_kernel_the_lock_keeps_nothing_out),
        cmocka_unit_test(test_the_more_urgent_interrupts_and_the_less_urgent_waits),
        cmocka_unit_test(test_a_handler_may_lock),
        cmocka_unit_test(test_what_a_disabled_line_was_raised_for_comes_when_it_is_enabled),
        cmocka_unit_test(test_a_cell_interrupts_what_is_less_urgent),
        cmocka_unit_test(test_misuse_is_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
