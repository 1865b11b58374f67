/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "sync_lock.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/spinlock.h>
#include <hrl/thread.h>

static struct hrl_spinlock outer = HRL_SPINLOCK_INIT(1), inner = HRL_SPINLOCK_INIT(2),
                           none = {.number = 0};

static void test_interrupts_are_kept_out_until_the_outermost_is_given(void **state)
{
    (void)state;
    sut_reset();
    hrlp_irq_unlock(HRLP_IRQ_UNLOCKED);
    for (unsigned round = 0; round < 2; round++) {
        hrl_spinlock_take(&outer);
        assert_true(hrlp_irq_is_masked());
        hrl_spinlock_take(&inner);
        hrl_spinlock_give(&inner);
        assert_true(hrlp_irq_is_masked());
        hrl_spinlock_give(&outer);
        assert_false(hrlp_irq_is_masked());
    }
}

#if HRL_CORES > 1 /* as one core has no locks */
/* As an application with a unified timing model has the match's while it holds one: an alarm's start arms the cell. */
static void test_no_spinlock_is_a_lock_of_the_kernel(void **state)
{
    struct hrl_spinlock last = HRL_SPINLOCK_INIT(HRLP_LOCKS - HRLI_LOCKS_OF_KERNEL);
    hrlp_irq_state before;

    (void)state;
    sut_reset();
    before = hrli_sync_lock();
    hrlp_lock_take(HRLI_LOCK_OF_MATCH);
    hrl_spinlock_take(&outer);
    hrl_spinlock_take(&last);
    hrl_spinlock_give(&last);
    hrl_spinlock_give(&outer);
    hrlp_lock_give(HRLI_LOCK_OF_MATCH);
    hrli_sync_unlock(before);
}
#endif

static void take_twice(void *argument)
{
    (void)argument;
    hrl_spinlock_take(&outer);
    hrl_spinlock_take(&outer);
}

static void take_the_lower_one_last(void *argument)
{
    (void)argument;
    hrl_spinlock_take(&inner);
    hrl_spinlock_take(&outer);
}

static void give_the_first_one_first(void *argument)
{
    (void)argument;
    hrl_spinlock_take(&outer);
    hrl_spinlock_take(&inner);
    hrl_spinlock_give(&outer);
}

static void give_what_is_not_held(void *argument)
{
    (void)argument;
    hrl_spinlock_give(&outer);
}

static void take_the_kernels(void *argument)
{
    (void)argument;
    hrl_spinlock_take(&none);
}

static void wait_with_one(void *argument)
{
    (void)argument;
    hrl_spinlock_take(&outer);
    hrl_thread_yield();
}

static const struct {
    void (*wrong)(void *argument);
    const char *reason;
    unsigned held; /* spinlocks, when it is found */
} misuses[] = {
    {take_twice, "hrl_spinlock_take: spinlocks are taken in ascending order of their numbers", 1},
    {take_the_lower_one_last,
     "hrl_spinlock_take: spinlocks are taken in ascending order of their numbers", 2},
    {give_the_first_one_first, "hrl_spinlock_give: this core has not taken it last", 3},
    {give_what_is_not_held, "hrl_spinlock_give: this core has not taken it last", 0},
    {take_the_kernels, "hrl_spinlock_take: the board has no lock of this number", 0},
    {wait_with_one, "hrl_thread_yield: not with interrupts masked", 1},
};

/* The test goes on where the thread was stopped, so it gives back what that held. */
static void test_misuse_is_found(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof misuses / sizeof misuses[0]; i++) {
        sut_reset();
        (void)sut_start("wrong", 1, misuses[i].wrong, NULL);
        sut_run_to_assertion(1000, misuses[i].reason);
        if ((misuses[i].held & 2u) != 0) {
            hrl_spinlock_give(&inner);
        }
        if ((misuses[i].held & 1u) != 0) {
            hrl_spinlock_give(&outer);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#if HRL_CORES > 1 /* likewise */
        cmocka_unit_test(test_no_spinlock_is_a_lock_of_the_kernel),
#endif
        cmocka_unit_test(test_interrupts_are_kept_out_until_the_outermost_is_given),
        cmocka_unit_test(test_misuse_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
