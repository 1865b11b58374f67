/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/thread.h>
#include <hrl/time.h>
#include <hrl/wall_clock.h>

static const uint64_t year_2026 = 1767225600u * (uint64_t)1000000000u; /* since 1970 */

static void set_up(void)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    hrl_wall_clock_set(hrl_now_ns()); /* as it is at first */
}

static void set_and_read(void *argument)
{
    (void)argument;
    assert_int_equal(hrl_wall_clock_read(), hrl_now_ns());
    hrl_thread_sleep_until(100);
    hrl_wall_clock_set(year_2026);
    assert_int_equal(hrl_wall_clock_read(), year_2026);
    hrl_thread_sleep_until(350);
    assert_int_equal(hrl_wall_clock_read(), year_2026 + 250 * 40);
    hrl_wall_clock_set(year_2026); /* back */
    assert_int_equal(hrl_wall_clock_read(), year_2026);
    hrl_wall_clock_set(0); /* before the clock was started */
    hrl_thread_sleep_until(450);
    assert_int_equal(hrl_wall_clock_read(), 4000);
    assert_int_equal(hrl_now(), 450);
    assert_int_equal(hrl_now_ns(), 18000);
    sut_note("end");
}

static void test_set_and_read(void **state)
{
    (void)state;
    set_up();
    sut_start("thread", 1, set_and_read, NULL);
    sut_run(10000);
    assert_string_equal(sut_notes, "end ");
}

static void sleep_over_it(void *argument)
{
    (void)argument;
    hrl_thread_sleep_until(5000);
    assert_int_equal(hrl_now(), 5000);
    sut_note("end");
}

static void set_back_often(void *argument)
{
    uint64_t before = hrl_now_ns();

    (void)argument;
    for (unsigned i = 0; i < 100; i++) {
        hrl_wall_clock_set(year_2026 - i * (uint64_t)1000000000u);
        assert_true(hrl_now_ns() >= before);
        before = hrl_now_ns();
        hrlp_host_consume(90);
    }
}

static void test_nothing_else_follows_it(void **state)
{
    (void)state;
    set_up();
    sut_start("sleeper", 2, sleep_over_it, NULL);
    sut_start("setter", 1, set_back_often, NULL);
    sut_run(20000);
    assert_string_equal(sut_notes, "end ");
}

/* Interrupts fall everywhere: what is read is one of two settings, never a half of each. */
static struct random campaign;
static unsigned reads;
enum { SPAN_NS = 1000000000 };
static const uint64_t settings[2] = {0x00000001FFFFFF00u, 0xFFFFFFFE00000000u};

static hrl_counts some_counts(void)
{
    return random_below(&campaign, 3);
}

static void check_one_of_two(void)
{
    uint64_t ns = hrl_wall_clock_read();

    assert_true(ns - settings[0] < SPAN_NS || ns - settings[1] < SPAN_NS);
    reads++;
}

static void interrupt(void)
{
    check_one_of_two();
    hrl_wall_clock_set(settings[random_below(&campaign, 2)]);
    check_one_of_two();
    sut_interrupt_in(random_between(&campaign, 1, 60), interrupt);
}

static void set_at_random(void *argument)
{
    (void)argument;
    hrl_wall_clock_set(settings[0]);
    sut_interrupt_in(10, interrupt);
    for (;;) {
        hrl_wall_clock_set(settings[random_below(&campaign, 2)]);
        check_one_of_two();
    }
}

static void test_interrupts_see_no_half(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        set_up();
        campaign.state = seed;
        reads = 0;
        hrlp_host_setup.port_call_counts = some_counts;
        hrlp_host_setup.limit = 60000;
        sut_start("thread", 1, set_at_random, NULL);
        (void)sut_run(50000);
        assert_true(reads > 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_and_read),
        cmocka_unit_test(test_nothing_else_follows_it),
        cmocka_unit_test(test_interrupts_see_no_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
