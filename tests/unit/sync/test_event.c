/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "system_under_test.h"
#include "wait_queue.h"
#include "with_cmocka.h"
#include <hrl/event.h>
#include <hrl/interrupt.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <string.h>

enum { A = 1, B = 2, C = 4, D = 8 };

/* What a thread waits for, and what came of it. */
struct wish {
    const char *name;
    uint32_t level, flags, mode;
    hrl_counts until;
    enum hrl_status status;
    uint32_t seen;
};

HRL_EVENT_DEFINE(event);

static void set_up(uint32_t flags)
{
    sut_reset();
    sut_add_releaser((struct sut_releaser){.one_shot = true, .timeouts = true});
    event = (struct hrl_event){.flags = flags};
}

static void fulfil(void *argument)
{
    struct wish *wish = argument;

    wish->seen = ~0u;
    wish->status = hrl_event_wait(&event, wish->flags, wish->mode, wish->until, &wish->seen);
    sut_note(wish->name);
    if (wish->status != HRL_OK) {
        assert_int_equal(wish->seen, ~0u);
        sut_note("timed-out");
    }
}

static void start(struct wish *wishes, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        sut_start(wishes[i].name, wishes[i].level, fulfil, &wishes[i]);
    }
}

static enum hrl_status poll(uint32_t flags, uint32_t mode, uint32_t *seen)
{
    return hrl_event_wait(&event, flags, mode, HRL_NO_WAIT, seen);
}

static void use_alone(void *argument)
{
    uint32_t seen = 77;

    (void)argument;
    assert_int_equal(hrl_event_flags(&event), 0);
    assert_int_equal(poll(A, HRL_EVENT_ANY, &seen), HRL_WOULD_WAIT);
    assert_int_equal(hrl_event_wait(&event, A, HRL_EVENT_ANY, hrl_now() + 10, &seen),
                     HRL_TIMED_OUT);
    assert_int_equal(hrl_now(), 10);
    assert_int_equal(seen, 77);
    hrl_event_set(&event, A | C);
    hrl_event_set(&event, D | 0x80000000u);
    assert_int_equal(hrl_event_flags(&event), A | C | D | 0x80000000u);
    hrl_event_clear(&event, D | B | 0x80000000u);
    assert_int_equal(hrl_event_flags(&event), A | C);
    assert_int_equal(poll(A | B, HRL_EVENT_ALL, &seen), HRL_WOULD_WAIT);
    assert_int_equal(poll(A | B, HRL_EVENT_ALL | HRL_EVENT_CLEAR, &seen), HRL_WOULD_WAIT);
    assert_int_equal(poll(B | D, HRL_EVENT_CLEAR, &seen), HRL_WOULD_WAIT);
    assert_int_equal(hrl_event_flags(&event), A | C);
    assert_int_equal(seen, 77);
    assert_int_equal(poll(A | C, HRL_EVENT_ALL, NULL), HRL_OK);
    assert_int_equal(hrl_event_wait(&event, A | B, HRL_EVENT_ANY, HRL_FOREVER, &seen), HRL_OK);
    assert_int_equal(seen, A | C);
    assert_int_equal(hrl_event_flags(&event), A | C);
    seen = 0;
    assert_int_equal(poll(A | B, HRL_EVENT_CLEAR, &seen), HRL_OK);
    assert_int_equal(seen, A | C);
    assert_int_equal(hrl_event_flags(&event), C);
    sut_note("end");
}

static void test_flags_are_set_cleared_and_awaited(void **state)
{
    (void)state;
    assert_null(event.waiters.first); /* as defined */
    assert_null(event.walk);
    set_up(0);
    sut_start("alone", 1, use_alone, NULL);
    sut_run(1000);
    assert_string_equal(sut_notes, "end ");
}

/* Sets what each letter says. */
static void set_each(void *argument)
{
    for (const char *letter = argument; *letter != '\0'; letter++) {
        char name[] = {*letter, '\0'};
        sut_note(name);
        hrl_event_set(&event, 1u << (*letter - 'A'));
    }
}

static void test_one_waits_for_any(void **state)
{
    struct wish wish = {"any", 2, B | C, HRL_EVENT_ANY, HRL_FOREVER, 0, 0};

    (void)state;
    set_up(0);
    start(&wish, 1);
    sut_start("setter", 1, set_each, "ACB");
    sut_run(1000);
    assert_string_equal(sut_notes, "A C any B ");
    assert_int_equal(wish.seen, A | C);
    assert_int_equal(event.flags, A | B | C);
}

static void test_one_waits_for_all(void **state)
{
    struct wish wish = {"all", 2, B | C, HRL_EVENT_ALL | HRL_EVENT_CLEAR, HRL_FOREVER, 0, 0};

    (void)state;
    set_up(0);
    start(&wish, 1);
    sut_start("setter", 1, set_each, "CAB");
    sut_run(1000);
    assert_string_equal(sut_notes, "C A B all ");
    assert_int_equal(wish.seen, A | B | C);
    assert_int_equal(event.flags, A);
}

static void test_what_was_not_set_stays_so_when_it_is_cleared(void **state)
{
    struct wish wish = {"any", 2, A | B, HRL_EVENT_CLEAR, HRL_FOREVER, 0, 0};

    (void)state;
    set_up(0);
    start(&wish, 1);
    sut_start("setter", 1, set_each, "CAB");
    sut_run(1000);
    assert_string_equal(sut_notes, "C A any B ");
    assert_int_equal(wish.seen, A | C);
    assert_int_equal(event.flags, B | C);
}

static void test_one_set_wakes_all_that_it_fulfils_in_order(void **state)
{
    struct wish wishes[] = {
        {"a2", 2, A, HRL_EVENT_CLEAR, HRL_FOREVER, 0, 0},
        {"b2", 2, B, HRL_EVENT_CLEAR, HRL_FOREVER, 0, 0},
        {"c2", 2, A | D, HRL_EVENT_ALL, HRL_FOREVER, 0, 0},
        {"b5", 5, B | C, HRL_EVENT_CLEAR, HRL_FOREVER, 0, 0},
        {"a5", 5, A, HRL_EVENT_CLEAR, HRL_FOREVER, 0, 0},
        {"a3", 3, A | B, HRL_EVENT_ANY, HRL_FOREVER, 0, 0},
        {"d5", 5, A | B, HRL_EVENT_ALL, HRL_FOREVER, 0, 0},
        {"e5", 5, A, HRL_EVENT_ANY, HRL_FOREVER, 0, 0},
    };

    (void)state;
    set_up(D);
    start(wishes, 8);
    sut_start("setter", 1, set_each, "ABA");
    sut_run(1000);
    assert_string_equal(sut_notes, "A a5 e5 a3 a2 c2 B b5 b2 A ");
    for (unsigned i = 0; i < 8; i++) {
        if (wishes[i].seen != ~0u) {
            assert_int_equal(wishes[i].seen, wishes[i].name[0] == 'b' ? B | D : A | D);
        }
    }
    /* No thread has taken the last A, and d5 still waits for B beside it. */
    assert_int_equal(event.flags, A | D);
    assert_string_equal(event.waiters.first->name, "d5");
    assert_null(event.walk);
}

static void test_a_thread_that_sets_for_the_less_urgent_goes_on(void **state)
{
    struct wish wishes[] = {
        {"a", 2, A, HRL_EVENT_ANY, HRL_FOREVER, 0, 0},
        {"b", 2, A, HRL_EVENT_ANY, HRL_FOREVER, 0, 0},
        {"c", 4, A, HRL_EVENT_ANY, HRL_FOREVER, 0, 0},
    };

    (void)state;
    set_up(0);
    start(wishes, 3);
    sut_start("setter", 2, set_each, "BAC");
    sut_run(1000);
    assert_string_equal(sut_notes, "B A c C a b ");
    set_up(0);
    start(wishes, 1);
    sut_start("setter", 2, set_each, "BAC");
    sut_run(1000);
    assert_string_equal(sut_notes, "B A C a ");
}

static void sleep_and_set(void *argument)
{
    hrl_thread_sleep_until(500);
    set_each(argument);
}

static void test_a_waiter_that_times_out_leaves(void **state)
{
    struct wish wishes[] = {
        {"first", 5, A, HRL_EVENT_CLEAR, 100, 0, 0},
        {"second", 5, A, HRL_EVENT_ANY, 1000, 0, 0},
        {"third", 4, B, HRL_EVENT_ANY, 200, 0, 0},
        {"fourth", 3, A | B, HRL_EVENT_ALL, 2000, 0, 0},
    };

    (void)state;
    set_up(0);
    start(wishes, 4);
    sut_start("setter", 1, sleep_and_set, "A");
    sut_run(5000);
    assert_string_equal(sut_notes, "first timed-out third timed-out A second fourth timed-out ");
    assert_int_equal(event.flags, A);
    assert_null(event.waiters.first);
}

/* From interrupts. */

static void set_in_interrupt(void)
{
    uint32_t seen = 0;

    sut_note("interrupt");
    assert_int_equal(poll(A, HRL_EVENT_ANY, &seen), HRL_WOULD_WAIT);
    hrl_event_set(&event, A | B);
    assert_null(event.walk);
    hrl_event_clear(&event, B);
    sut_note("set");
    /* The switch has been asked for: what the handler does at its end is not needed. */
    hrli_core.threshold = HRL_PRIORITIES;
}

static void interrupt_soon(void *argument)
{
    sut_interrupt_in(50, *(void (**)(void))argument);
    hrlp_host_consume(100);
    sut_note("low");
}

static void test_an_interrupt_sets(void **state)
{
    void (*handler)(void) = set_in_interrupt;
    struct wish wishes[] = {
        {"a2", 2, A, HRL_EVENT_CLEAR, HRL_FOREVER, 0, 0},
        {"c2", 2, C, HRL_EVENT_CLEAR, HRL_FOREVER, 0, 0},
        {"a5", 5, A | B, HRL_EVENT_ALL, HRL_FOREVER, 0, 0},
    };

    (void)state;
    for (unsigned count = 1; count <= 3; count++) {
        static const char *const expected[] = {"interrupt set a2 low ", "interrupt set a2 low ",
                                               "interrupt set a5 a2 low "};
        set_up(0);
        start(wishes, count);
        sut_start("low", 1, interrupt_soon, &handler);
        sut_run(1000);
        assert_string_equal(sut_notes, expected[count - 1]);
        assert_int_equal(event.flags, 0);
    }
    set_up(0);
    sut_start("low", 1, interrupt_soon, &handler);
    sut_run(1000);
    assert_int_equal(event.flags, A);
}

/*
 * An interrupt at every call of the port while a thread sets A: what comes out is what would have come out
 * had it come before or after the whole of it.
 */
enum { WISHES = 9, DELAYS = 200 };

static const struct wish injection_wishes[WISHES] = {
    {"w0", 7, A, HRL_EVENT_CLEAR, 5000, 0, 0},
    {"w1", 7, A | B, HRL_EVENT_ALL, 5000, 0, 0},
    {"w2", 7, B, HRL_EVENT_CLEAR, 5000, 0, 0},
    {"w3", 5, A | D, HRL_EVENT_ALL, 5000, 0, 0},
    {"w4", 4, A | C, HRL_EVENT_ANY, 5000, 0, 0},
    {"w5", 4, B | D, HRL_EVENT_ALL | HRL_EVENT_CLEAR, 5000, 0, 0},
    {"w6", 3, A, HRL_EVENT_CLEAR, 5000, 0, 0},
    {"w7", 3, A | B, HRL_EVENT_ALL | HRL_EVENT_CLEAR, 5000, 0, 0},
    {"w8", 3, B | C, HRL_EVENT_ANY, 5000, 0, 0},
};

struct outcome {
    enum hrl_status status[WISHES];
    uint32_t seen[WISHES];
    uint32_t flags;
};

static hrl_counts delay;
static void (*injected)(void);
static unsigned inside_walks, polled;

static hrl_counts one_count(void)
{
    return 1;
}

static void inject(void)
{
    uint32_t threshold = hrli_core.threshold;

    inside_walks += event.walk != NULL;
    injected();
    assert_int_equal(hrli_core.threshold, threshold); /* what the thread holds off stays so */
}

static void inject_b(void)
{
    hrl_event_set(&event, B);
}

static void inject_a(void)
{
    hrl_event_set(&event, A);
}

static void inject_a_pulse(void)
{
    hrl_event_set(&event, A | B);
    hrl_event_clear(&event, A | B);
}

static void inject_clear(void)
{
    hrl_event_clear(&event, A | D);
}

static void inject_poll(void)
{
    polled += poll(A, HRL_EVENT_CLEAR, NULL) == HRL_OK;
}

enum { LINE = 5 };
static bool in_handler; /* of a line less urgent than the interrupt that is injected */

static void set_in_handler(void *argument)
{
    (void)argument;
    hrl_event_set(&event, A);
}

static void set_a_into_injection(void *argument)
{
    (void)argument;
    if (in_handler) {
        hrl_interrupt_attach(LINE, set_in_handler, NULL);
        assert_int_equal(hrl_interrupt_enable(LINE, 1), HRL_OK);
    }
    hrlp_host_setup.port_call_counts = one_count;
    sut_interrupt_in(1 + delay, inject);
    if (in_handler) {
        assert_int_equal(hrl_interrupt_raise(LINE), HRL_OK);
        hrl_interrupt_detach(LINE);
    } else {
        hrl_event_set(&event, A);
    }
    hrlp_host_setup.port_call_counts = NULL;
    sut_note("setter");
}

static struct outcome inject_after(hrl_counts counts)
{
    struct wish wishes[WISHES];
    struct outcome outcome;

    memset(&outcome, 0, sizeof outcome);
    memcpy(wishes, injection_wishes, sizeof wishes);
    set_up(D);
    delay = counts;
    start(wishes, WISHES);
    sut_start("setter", 1, set_a_into_injection, NULL);
    sut_run(10000);
    for (unsigned i = 0; i < WISHES; i++) {
        outcome.status[i] = wishes[i].status;
        outcome.seen[i] = wishes[i].seen;
    }
    outcome.flags = event.flags;
    assert_null(event.waiters.first);
    assert_null(event.walk);
    assert_int_equal(hrli_core.threshold, 0);
    assert_non_null(strstr(sut_notes, "setter"));
    return outcome;
}

static bool is_same(const struct outcome *one, const struct outcome *other)
{
    return memcmp(one, other, sizeof *one) == 0;
}

static void test_an_interrupt_anywhere_in_a_set(void **state)
{
    void (*const handlers[])(void) = {inject_b, inject_a, inject_a_pulse, inject_clear,
                                      inject_poll};

    (void)state;
    for (unsigned h = 0; h < 2 * (sizeof handlers / sizeof handlers[0]); h++) {
        struct outcome before, after;

        injected = handlers[h / 2];
        in_handler = h % 2 != 0;
        inside_walks = polled = 0;
        before = inject_after(0);
        after = inject_after(2000);
        assert_int_equal(inside_walks, 0);
        for (hrl_counts counts = 0; counts < DELAYS; counts++) {
            unsigned inside = inside_walks;
            struct outcome here = inject_after(counts);

            assert_true(is_same(&here, &before) || is_same(&here, &after));
            if (inside_walks != inside) {
                assert_true(is_same(&here, &after));
            }
        }
        /* One a locked section, of which there are as many as there are threads that wait. */
        assert_true(inside_walks >= WISHES - 1);
        /* A poll at that time counts as a thread that waited. */
        assert_int_equal(polled, injected == inject_poll ? inside_walks : 0);
    }
}

static hrl_counts set_from, set_to;

static void set_a(void *argument)
{
    (void)argument;
    set_from = hrl_now();
    hrl_event_set(&event, A);
    set_to = hrl_now();
}

/* Time passes in every call of the port. */
static void time_out_at(hrl_counts until, struct wish *wishes)
{
    memcpy(wishes, injection_wishes, sizeof injection_wishes);
    set_up(D);
    for (unsigned i = 0; i < WISHES; i++) {
        wishes[i].until = i % 3 == 2 ? 5000 : until;
    }
    start(wishes, WISHES);
    sut_start("setter", 1, set_a, NULL);
    hrlp_host_setup.port_call_counts = one_count;
    sut_run(20000);
}

static void test_a_time_over_anywhere_in_a_set(void **state)
{
    struct wish wishes[WISHES];
    unsigned late = 0, in_time = 0, over_within = 0;
    hrl_counts around;

    (void)state;
    time_out_at(5000, wishes);
    around = set_from;
    for (hrl_counts until = around - 50; until < around + 200; until++) {
        time_out_at(until, wishes);
        for (unsigned i = 0; i < WISHES; i++) {
            bool wants_a = (wishes[i].flags & A) != 0 && (wishes[i].flags & B) == 0;

            assert_true(wishes[i].status == HRL_TIMED_OUT || wants_a);
            late += wishes[i].status == HRL_TIMED_OUT && wants_a;
            in_time += wishes[i].status == HRL_OK;
        }
        over_within += set_from < until && until < set_to;
        assert_null(event.waiters.first);
        assert_null(event.walk);
        assert_int_equal(hrli_core.threshold, 0);
    }
    assert_true(late > 0 && in_time > 0 && over_within > 10);
}

/* Misuse. */

static void wait_in_interrupt(void)
{
    (void)hrl_event_wait(&event, A, HRL_EVENT_ANY, HRL_FOREVER, NULL);
}

static void test_misuse_is_found(void **state)
{
    void (*handler)(void) = wait_in_interrupt;
    struct wish none = {"none", 1, 0, HRL_EVENT_ANY, HRL_FOREVER, 0, 0};
    struct wish mode = {"mode", 1, A, 4, HRL_FOREVER, 0, 0};

    (void)state;
    set_up(0);
    start(&none, 1);
    sut_run_to_assertion(1000, "a wait for no flag of an event");
    set_up(0);
    start(&mode, 1);
    sut_run_to_assertion(1000, "a mode of waiting for an event that does not exist");
    set_up(0);
    sut_start("wrong", 1, interrupt_soon, &handler);
    sut_run_to_assertion(1000, "hrl_event_wait that may wait: for threads, not the idle thread");
}

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
        assert_true(set_into_sets > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flags_are_set_cleared_and_awaited),
        cmocka_unit_test(test_one_waits_for_any),
        cmocka_unit_test(test_one_waits_for_all),
        cmocka_unit_test(test_what_was_not_set_stays_so_when_it_is_cleared),
        cmocka_unit_test(test_one_set_wakes_all_that_it_fulfils_in_order),
        cmocka_unit_test(test_a_thread_that_sets_for_the_less_urgent_goes_on),
        cmocka_unit_test(test_a_waiter_that_times_out_leaves),
        cmocka_unit_test(test_an_interrupt_sets),
        cmocka_unit_test(test_an_interrupt_anywhere_in_a_set),
        cmocka_unit_test(test_a_time_over_anywhere_in_a_set),
        cmocka_unit_test(test_misuse_is_found),
        cmocka_unit_test(test_random_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
