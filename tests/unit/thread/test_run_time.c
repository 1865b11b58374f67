/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_host_jobs.h"
#include "run_time.h"
#include "system_under_test.h"
#include "with_cmocka.h"

static struct hrl_thread *first, *second;

static void work_and_sleep(void *argument)
{
    for (int i = 0; i < 3; i++) {
        hrlp_host_consume(*(const hrl_counts *)argument);
        hrl_thread_sleep_for(1000);
    }
    hrlp_host_consume(7);
    assert_int_equal(hrl_thread_run_time(hrl_thread_current()),
                     3 * *(const hrl_counts *)argument + 7);
}

static const char *run(hrl_counts clock_start, const hrl_counts *each, const hrl_counts *other)
{
    sut_reset();
    hrlp_host_setup.clock_start = clock_start;
    sut_counts_run_time = true;
    hrli_run_time_since = (hrl_stamp)clock_start; /* where hrl_now begins */
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    first = sut_start("first", 5, work_and_sleep, (void *)(uintptr_t)each);
    second = sut_start("second", 4, work_and_sleep, (void *)(uintptr_t)other);
    return sut_run(20000);
}

static void test_each_thread_is_charged_with_its_own(void **state)
{
    static const hrl_counts each = 100, other = 2500;

    (void)state;
    assert_string_equal(run(0, &each, &other), "done");
    assert_int_equal(first->run_time, 3 * each + 7);
    assert_int_equal(second->run_time, 3 * other + 7);
    assert_string_equal(run(0xFFFFFF00u, &each, &other), "done"); /* the clock wraps */
    assert_int_equal(first->run_time, 3 * each + 7);
    assert_int_equal(second->run_time, 3 * other + 7);
}

/* Longer than the clock's low half can tell, without a switch. */
static void test_a_long_run_is_counted(void **state)
{
    static const hrl_counts each = 5, long_one = (hrl_counts)9 << 32;

    (void)state;
    sut_reset();
    hrlp_host_setup.limit = (hrl_counts)40 << 32;
    sut_counts_run_time = true;
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    first = sut_start("first", 5, work_and_sleep, (void *)(uintptr_t)&long_one);
    second = sut_start("second", 4, work_and_sleep, (void *)(uintptr_t)&each);
    assert_string_equal(sut_run((hrl_counts)30 << 32), "done");
    assert_int_equal(first->run_time, 3 * long_one + 7);
    assert_int_equal(second->run_time, 3 * each + 7);
}

static const hrl_counts each = 100;
static hrl_counts told;

static void ask_for_the_first(void *argument)
{
    (void)argument;
    hrlp_host_consume(30);
    told = hrl_thread_run_time(first);
}

/* Only what runs has more than it was charged with. */
static void test_another_thread_has_what_it_was_charged_with(void **state)
{
    (void)state;
    sut_reset();
    sut_counts_run_time = true;
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    first = sut_start("first", 5, work_and_sleep, (void *)(uintptr_t)&each);
    sut_start("asks", 1, ask_for_the_first, NULL);
    assert_string_equal(sut_run(20000), "done");
    assert_int_equal(told, each);
}

static void ask_for_nothing(void *argument)
{
    (void)argument;
    hrlp_host_consume(100);
    assert_int_equal(hrl_thread_run_time(hrl_thread_current()), 0);
}

static void test_a_system_that_does_not_count_says_0(void **state)
{
    (void)state;
    sut_reset();
    first = sut_start("first", 5, ask_for_nothing, NULL);
    assert_string_equal(sut_run(1000), "done");
    assert_int_equal(first->run_time, 0);
}

static void ask(void)
{
    (void)hrl_thread_run_time(first);
}

static void wait_for_interrupt(void *argument)
{
    (void)argument;
    sut_interrupt_in(10, ask);
    hrlp_host_consume(100);
}

static void test_not_from_an_interrupt(void **state)
{
    (void)state;
    sut_reset();
    first = sut_start("first", 5, wait_for_interrupt, NULL);
    sut_run_to_assertion(1000, "hrl_thread_run_time: for threads");
}

#if HRL_CORES > 1 /* as there is another core only then */
/* What a thread has run by the last switch from it, both halves of it. */
static void test_another_core_sees_the_run_time_of_the_last_switch(void **state)
{
    static const hrl_counts each = 5, long_one = ((hrl_counts)9 << 32) + 3;

    (void)state;
    sut_reset();
    hrlp_host_setup.limit = (hrl_counts)40 << 32;
    sut_counts_run_time = true;
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    first = sut_start("first", 5, work_and_sleep, (void *)(uintptr_t)&long_one);
    second = sut_start("second", 4, work_and_sleep, (void *)(uintptr_t)&each);
    assert_string_equal(sut_run((hrl_counts)30 << 32), "done");
    first->core = second->core = 1;
    assert_int_equal(hrl_thread_run_time(first), 3 * long_one + 7);
    assert_int_equal(hrl_thread_run_time(second), 3 * each + 7);
    second->run_time += 100; /* since then */
    assert_int_equal(hrl_thread_run_time(second), 3 * each + 7);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_thread_is_charged_with_its_own),
        cmocka_unit_test(test_a_long_run_is_counted),
        cmocka_unit_test(test_another_thread_has_what_it_was_charged_with),
        cmocka_unit_test(test_a_system_that_does_not_count_says_0),
        cmocka_unit_test(test_not_from_an_interrupt),
#if HRL_CORES > 1 /* as above */
        cmocka_unit_test(test_another_core_sees_the_run_time_of_the_last_switch),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
