/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "event_under_test.h"
#include "random.h"
#include "wait_queue.h"
#include <hrl/interrupt.h>

/*
 * Random use, an interrupt between any two steps. At each check without a set under way no thread
 * waits for flags that are there.
 */
enum { THREADS = 12 };
static struct random campaign;
static unsigned woken, timed_out, set_into_sets;
static struct wish *wish_of[THREADS];

static hrl_counts some_counts(void)
{
    return random_below(&campaign, 3);
}

static bool is_fulfilled(const struct wish *wish, uint32_t flags)
{
    return (wish->mode & HRL_EVENT_ALL) != 0 ? (wish->flags & ~flags) == 0
                                             : (wish->flags & flags) != 0;
}

static void check_that_no_thread_waits_in_vain(void)
{
    hrlp_irq_state state = hrlp_irq_lock();

    if (event.walk == NULL) {
        unsigned count = 0;
        for (struct hrl_thread *thread = event.waiters.first; thread != NULL;
             thread = hrli_wait_queue_behind(thread)) {
            struct wish *wish = *(struct wish **)thread->argument;
            assert_false(is_fulfilled(wish, event.flags));
            assert_true(++count <= THREADS);
        }
    }
    hrlp_irq_unlock(state);
}

static uint32_t some_flags(void)
{
    return 1u << random_below(&campaign, 4) | 1u << random_below(&campaign, 4);
}

static void act_at_random(void)
{
    set_into_sets += event.walk != NULL;
    if (random_below(&campaign, 3) == 0) {
        hrl_event_clear(&event, some_flags());
    } else {
        hrl_event_set(&event, some_flags());
    }
    check_that_no_thread_waits_in_vain();
    sut_interrupt_in(random_between(&campaign, 20, 400), act_at_random);
}

static void wait_at_random(void *argument)
{
    struct wish wish = {0};

    *(struct wish **)argument = &wish;
    if (argument == &wish_of[0]) {
        sut_interrupt_in(10, act_at_random);
    }
    for (;;) {
        wish.flags = some_flags();
        wish.mode = random_below(&campaign, 4);
        wish.status = hrl_event_wait(&event, wish.flags, wish.mode,
                                     hrl_now() + random_below(&campaign, 2500), &wish.seen);
        if (wish.status == HRL_OK) {
            assert_true(is_fulfilled(&wish, wish.seen));
            woken++;
        } else {
            timed_out++;
        }
        check_that_no_thread_waits_in_vain();
        hrlp_host_consume(random_below(&campaign, 60));
        if (random_below(&campaign, 2) == 0) {
            hrl_event_set(&event, some_flags());
            hrl_event_clear(&event, some_flags());
        }
        hrl_thread_sleep_for(random_below(&campaign, 100));
    }
}

static void test_random_use(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        set_up(0);
        campaign.state = seed;
        woken = timed_out = set_into_sets = 0;
        hrlp_host_setup.port_call_counts = some_counts;
        hrlp_host_setup.limit = 300000;
        for (unsigned i = 0; i < THREADS; i++) {
            sut_start("random", random_between(&campaign, 1, 6), wait_at_random, &wish_of[i]);
        }
        (void)sut_run(200000);
        assert_true(woken > 100);
        assert_true(timed_out > 10);
        assert_true((set_into_sets > 0) == (HRL_CORES == 1)); /* with several the lock is held */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
