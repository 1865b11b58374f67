/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_irq.h"
#include "one_shot_nodes.h"
#include "random.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>

/*
 * Time-outs are served with interrupts on, by a handler of the lowest priority; a thread that walks
 * the store leaves them to it.
 */
static hrl_counts woken_at[8];

static void set_up(void)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
}

struct sleep {
    hrl_counts from, until;
    unsigned index;
};

static void sleep_once(void *argument)
{
    const struct sleep *sleep = argument;

    hrl_thread_sleep_until(sleep->from);
    hrl_thread_sleep_until(sleep->until);
    woken_at[sleep->index] = hrl_now();
}

static void test_it_wakes_at_the_instant(void **state)
{
    static struct sleep sleeps[] = {{0, 900, 0}, {0, 300, 1}, {0, 300, 2}, {500, 700, 3}};

    (void)state;
    set_up();
    for (unsigned i = 0; i < 4; i++) {
        sut_start("sleeper", 1 + i, sleep_once, &sleeps[i]);
    }
    sut_run(10000);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(woken_at[i], sleeps[i].until);
    }
    assert_int_equal(sut_count('I', 0), 4);
}

static hrl_counts one_count(void)
{
    return 1;
}

static hrl_counts interrupted_at;
static struct hrl_semaphore semaphore;

static void give_in_interrupt(void)
{
    interrupted_at = hrlp_host_now();
    (void)hrl_semaphore_give(&semaphore);
}

static void raise_at_505(void *argument)
{
    (void)argument;
    sut_interrupt_in(505 - hrl_now(), give_in_interrupt);
}

static void take_until_500(void *argument)
{
    *(enum hrl_status *)argument = hrl_semaphore_take(&semaphore, 500);
}

/*
 * All calls of the port take a count; so the handler that serves eight threads lasts longer than
 * five.
 */
static void test_another_interrupt_comes_into_the_handler(void **state)
{
    static struct sleep sleeps[8];
    enum hrl_status status = HRL_FULL;

    (void)state;
    set_up();
    semaphore = (struct hrl_semaphore){.limit = 1};
    for (unsigned i = 0; i < 8; i++) {
        sleeps[i] = (struct sleep){0, 500, i};
        sut_start("sleeper", 2, sleep_once, &sleeps[i]);
    }
    sut_start("taker", 1, take_until_500, &status); /* the last to be served, or to be given */
    sut_start("begin", 9, raise_at_505, NULL);
    hrlp_host_setup.port_call_counts = one_count;
    sut_run(10000);
    assert_in_range(interrupted_at, 505, 510); /* up to the end of the lock */
    assert_int_equal(status, HRL_OK);
    for (unsigned i = 0; i < 8; i++) {
        assert_in_range(woken_at[i], 507, 700);
        assert_true(i == 0 || woken_at[i] > woken_at[i - 1]);
    }
}

static hrl_counts insertion_counts;

static hrl_counts insertion(void)
{
    return insertion_counts;
}

/*
 * 1 sleeps until 600 and is due while 2 walks the store, from 500 on; what was deferred is done
 * then.
 */
static void test_an_interrupt_in_a_walk_comes_again(void **state)
{
    static struct sleep sleeps[] = {{0, 600, 0}, {500, 5000, 1}};

    (void)state;
    for (unsigned order = 0; order < 3; order++) {
        sleeps[1].until = order == 0   ? 5000
                          : order == 1 ? 550
                                       : 600; /* later, before, and with it */
        set_up();
        insertion_counts = 0;
        sut_insert_counts = insertion;
        sut_start("first", 2, sleep_once, &sleeps[0]);
        sut_start("walker", 1, sleep_once, &sleeps[1]);
        hrlp_host_setup.limit = 20000;
        insertion_counts = 200;
        sut_run(10000);
        assert_in_range(woken_at[0], 600, 900);
        assert_true(woken_at[1] >= sleeps[1].until);
        assert_false(sut_releaser_of(0)->busy);
        assert_false(sut_releaser_of(0)->deferred);
    }
}

static void test_an_instant_that_passes_during_the_insertion(void **state)
{
    static struct sleep sleep = {0, 300, 0};

    (void)state;
    set_up();
    insertion_counts = 1000;
    sut_insert_counts = insertion;
    sut_start("sleeper", 1, sleep_once, &sleep);
    sut_run(10000);
    assert_int_equal(woken_at[0], 1000);
}

static void test_hops_of_a_narrow_cell(void **state)
{
    static struct sleep sleep = {0, 1000000, 0};

    (void)state;
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true, .span = 1u << 16});
    sut_start("sleeper", 1, sleep_once, &sleep);
    sut_run(2000000);
    assert_int_equal(woken_at[0], 1000000);
    assert_int_equal(sut_count('I', 0), 1000000 / 65536 + 1);
}

static void interrupt_for_no_node(void *argument)
{
    hrlp_irq_state state;

    (void)argument;
    hrl_thread_sleep_until(100);
    state = hrlp_irq_lock();
    sut_interrupt(0);
    hrlp_irq_unlock(state);
}

static void test_a_spurious_interrupt_does_no_harm(void **state)
{
    static struct sleep sleep = {0, 700, 0};

    (void)state;
    set_up();
    sut_start("sleeper", 1, sleep_once, &sleep);
    sut_start("other", 2, interrupt_for_no_node, NULL);
    sut_run(10000);
    assert_int_equal(woken_at[0], 700);
}

static struct hrli_queue_node *no_node(void *queue)
{
    (void)queue;
    return NULL;
}

/* A cell of its own may interrupt for no node when all are served: it need not have a disarm. */
static void test_a_cell_without_disarm_stays_as_it_is(void **state)
{
    static const struct hrlp_cell cell = {NULL, NULL, NULL};
    static const struct hrli_store store = {.first = no_node};
    struct hrli_releaser releaser = {.cell = &cell};
    struct hrli_one_shot_parts parts = {&releaser, NULL, &store, &cell, 1u << 31};

    (void)state;
    set_up();
    hrli_one_shot_nodes_interrupt(&parts); /* there is nothing that it could call */
    assert_false(releaser.deferred);
    releaser.busy = true;
    hrli_one_shot_nodes_interrupt(&parts);
    assert_true(releaser.deferred);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_wakes_at_the_instant),
        cmocka_unit_test(test_another_interrupt_comes_into_the_handler),
        cmocka_unit_test(test_an_interrupt_in_a_walk_comes_again),
        cmocka_unit_test(test_an_instant_that_passes_during_the_insertion),
        cmocka_unit_test(test_hops_of_a_narrow_cell),
        cmocka_unit_test(test_a_spurious_interrupt_does_no_harm),
        cmocka_unit_test(test_a_cell_without_disarm_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
