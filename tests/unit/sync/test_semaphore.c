/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>

HRL_SEMAPHORE_DEFINE(semaphore, 2, 3);

static void set_up(uint32_t count)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    semaphore = (struct hrl_semaphore){.count = count, .limit = 3};
}

static void use_alone(void *argument)
{
    (void)argument;
    assert_int_equal(hrl_semaphore_count(&semaphore), 2);
    assert_int_equal(hrl_semaphore_take(&semaphore, HRL_NO_WAIT), HRL_OK);
    assert_int_equal(hrl_semaphore_take_forever(&semaphore), HRL_OK);
    assert_int_equal(hrl_semaphore_take(&semaphore, HRL_NO_WAIT), HRL_WOULD_WAIT);
    assert_int_equal(hrl_semaphore_take(&semaphore, hrl_now() + 10), HRL_TIMED_OUT);
    assert_int_equal(hrl_now(), 10);
    for (uint32_t count = 1; count <= 3; count++) {
        assert_int_equal(hrl_semaphore_give(&semaphore), HRL_OK);
        assert_int_equal(hrl_semaphore_count(&semaphore), count);
    }
    assert_int_equal(hrl_semaphore_give(&semaphore), HRL_FULL);
    assert_int_equal(hrl_semaphore_count(&semaphore), 3);
    sut_note("end");
}

static void test_tokens_are_counted(void **state)
{
    (void)state;
    assert_int_equal(semaphore.count, 2); /* as defined */
    assert_int_equal(semaphore.limit, 3);
    set_up(2);
    sut_start("alone", 1, use_alone, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "end ");
}

static void take_for_ever(void *argument)
{
    assert_int_equal(hrl_semaphore_take(&semaphore, HRL_FOREVER), HRL_OK);
    sut_note(argument);
}

static void take_by_the_call_of_that_name(void *argument)
{
    assert_int_equal(hrl_semaphore_take_forever(&semaphore), HRL_OK);
    sut_note(argument);
}

static void give_four(void *argument)
{
    (void)argument;
    for (int i = 0; i < 4; i++) {
        sut_note("give");
        assert_int_equal(hrl_semaphore_give(&semaphore), HRL_OK);
    }
}

static void test_the_most_urgent_then_the_longest_waiting(void **state)
{
    (void)state;
    set_up(0);
    sut_start("a", 2, take_for_ever, "a");
    sut_start("b", 4, take_by_the_call_of_that_name, "b");
    sut_start("c", 2, take_for_ever, "c");
    sut_start("giver", 1, give_four, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "give b give a give c give ");
    assert_int_equal(hrl_semaphore_count(&semaphore), 1);
}

static void test_a_thread_that_gives_to_the_less_urgent_goes_on(void **state)
{
    (void)state;
    set_up(0);
    sut_start("a", 2, take_for_ever, "a");
    sut_start("b", 3, take_for_ever, "b");
    sut_run(10);
    assert_string_equal(sut_notes, "");
    set_up(0);
    sut_start("a", 2, take_for_ever, "a");
    sut_start("giver", 2, give_four, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "give give give give a ");
}

static void use_in_interrupt(void)
{
    sut_note("interrupt");
    assert_int_equal(hrl_semaphore_take(&semaphore, HRL_NO_WAIT), HRL_WOULD_WAIT);
    assert_int_equal(hrl_semaphore_give(&semaphore), HRL_OK);
    sut_note("given");
}

static void interrupt_soon(void *argument)
{
    (void)argument;
    sut_interrupt_in(50, use_in_interrupt);
    hrlp_host_consume(100);
    sut_note("low");
}

static void test_an_interrupt_gives(void **state)
{
    (void)state;
    set_up(0);
    sut_start("taker", 2, take_by_the_call_of_that_name, "taken");
    sut_start("low", 1, interrupt_soon, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "interrupt given taken low ");
}

/* No token is lost or made, whatever falls between any two steps. */
enum { TAKERS = 8 };
static struct random campaign;
static unsigned given, taken;

static hrl_counts some_counts(void)
{
    return random_below(&campaign, 3);
}

static void give_at_random(void)
{
    for (uint32_t n = random_below(&campaign, 3); n != 0; n--) {
        given += hrl_semaphore_give(&semaphore) == HRL_OK;
    }
    sut_interrupt_in(random_between(&campaign, 100, 900), give_at_random);
}

static void take_at_random(void *argument)
{
    if (argument != NULL) {
        sut_interrupt_in(10, give_at_random);
    }
    for (;;) {
        taken +=
            hrl_semaphore_take(&semaphore, hrl_now() + random_below(&campaign, 1000)) == HRL_OK;
        hrlp_host_consume(random_below(&campaign, 200));
        if (random_below(&campaign, 4) == 0) {
            given += hrl_semaphore_give(&semaphore) == HRL_OK;
        }
    }
}

static void test_random_use_keeps_the_number_of_tokens(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        int on_their_way;

        set_up(0);
        campaign.state = seed;
        given = taken = 0;
        hrlp_host_setup.port_call_counts = some_counts;
        hrlp_host_setup.limit = 300000;
        for (unsigned i = 0; i < TAKERS; i++) {
            sut_start("taker", random_between(&campaign, 1, 6), take_at_random,
                      i == 0 ? &campaign : NULL);
        }
        (void)sut_run(200000);
        /* The end may fall between a gift and its counting, on either side. */
        on_their_way = (int)(given - taken - hrl_semaphore_count(&semaphore));
        assert_true(taken > 100);
        assert_in_range(on_their_way + TAKERS, 0, 2 * TAKERS);
    }
}

static struct hrl_semaphore zero;

static void take_zero(void *argument)
{
    (void)argument;
    (void)hrl_semaphore_take(&zero, HRL_NO_WAIT);
}

static void give_zero(void *argument)
{
    (void)argument;
    (void)hrl_semaphore_give(&zero);
}

static void take_before_the_start(void)
{
    (void)hrl_semaphore_take(&semaphore, HRL_FOREVER);
}

static void take_forever_before_the_start(void)
{
    (void)hrl_semaphore_take_forever(&semaphore);
}

static void test_misuse_is_found(void **state)
{
    (void)state;
    set_up(0);
    sut_start("wrong", 1, take_zero, NULL);
    sut_run_to_assertion(1000, "a semaphore that is not initialised");
    set_up(0);
    sut_start("wrong", 1, give_zero, NULL);
    sut_run_to_assertion(1000, "a semaphore that is not initialised");
    set_up(0);
    sut_call_to_assertion(take_before_the_start,
                          "hrl_semaphore_take that may wait: for threads, not the idle thread");
    set_up(0);
    sut_call_to_assertion(take_forever_before_the_start,
                          "hrl_semaphore_take_forever: for threads, not the idle thread");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens_are_counted),
        cmocka_unit_test(test_the_most_urgent_then_the_longest_waiting),
        cmocka_unit_test(test_a_thread_that_gives_to_the_less_urgent_goes_on),
        cmocka_unit_test(test_an_interrupt_gives),
        cmocka_unit_test(test_misuse_is_found),
        cmocka_unit_test(test_random_use_keeps_the_number_of_tokens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
