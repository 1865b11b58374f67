/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "event_under_test.h"
#include "wait_queue.h"
#include <hrl/interrupt.h>
#include <string.h>

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

enum { LINE = HRLP_HOST_CLOCK_LINE + 1 };
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
        /* One a locked section, of which there are as many as there are threads that wait; with several cores, one. */
        assert_true(HRL_CORES == 1 ? inside_walks >= WISHES - 1 : inside_walks == 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_interrupt_anywhere_in_a_set),
        cmocka_unit_test(test_a_time_over_anywhere_in_a_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
