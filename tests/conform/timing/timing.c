/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core.h"
#include "hrlp_host_jobs.h"
#include "hrlp_host_machine.h"
#include "hrlp_irq.h"
#include "random.h"
#include "with_cmocka.h"
#include <hrl/kernel.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * One suite for every timing model, over the default system for applications without the tool (systems/plain) on the
 * host, in virtual time. The build says which model that is. A run is a process of its own.
 *
 * Three equal threads A, B and C work for ever; H, more urgent, wakes when a test wants it to, and works for a
 * moment. What is compared is which thread had the processor from when on, as text: "A0 B1000 ...".
 */
#define SLICE PLAIN_SLICE_COUNTS
enum { WORKERS = 3, EQUAL = 3, URGENT = 5, STRETCHES = 4000 };

static const bool is_tick = PLAIN_IS_TICK, has_slices = PLAIN_HAS_SLICES;

static struct {
    char name;
    hrl_counts at; /* since the start of the clock */
} stretches[STRETCHES];
static unsigned stretch_count, ready_workers;
static hrl_counts start; /* of the simulated clock */
static hrl_counts from;  /* the same in hrl_now, which knows of no wraps before the start */

/* In builds that count what is reached: the process ends without what writes that. */
int __llvm_profile_write_file(void) __attribute__((weak));

static void differ(const char *found, const char *expected)
{
    fprintf(stderr, "found    %s\nexpected %s\n", found, expected);
    _exit(1);
}

static void note(char name)
{
    if (stretch_count != 0 && stretches[stretch_count - 1].name == name) {
        return;
    }
    if (stretch_count == STRETCHES) {
        differ("too many switches", "fewer");
    }
    stretches[stretch_count].name = name;
    stretches[stretch_count++].at = hrlp_host_now() - start;
}

/* The ready queue is sound: whole rings, and in that of the workers all that are ready, once each. */
static void check_ready_queue(void)
{
    for (uint32_t level = 0; level < HRL_PRIORITIES; level++) {
        struct hrli_ready_link *ring = &hrli_core.ready.levels[level];
        unsigned count = 0;

        for (struct hrli_ready_link *link = ring->next; link != ring; link = link->next) {
            if (link->next->previous != link || ++count > WORKERS) {
                differ("a broken ring", "a whole one");
            }
        }
        if (level == EQUAL && count != ready_workers) {
            differ("a worker is lost", "all are there");
        }
    }
}

/* Works for so many counts, and is seen to do so. */
static void work(char name, hrl_counts counts)
{
    while (counts-- != 0) {
        hrlp_irq_unlock(hrlp_irq_lock()); /* lets in what comes at this instant */
        note(name);
        hrlp_host_consume(1);
        if (ready_workers != 0) {
            hrlp_irq_state state = hrlp_irq_lock();

            check_ready_queue();
            hrlp_irq_unlock(state);
        }
    }
}

static bool workers_yield;
static struct random random_state;

static void work_for_ever(void *argument)
{
    char name = *(const char *)argument;

    while (workers_yield) {
        work(name, 1 + random_below(&random_state, 20) +
                       (random_below(&random_state, 2) == 0 ? 0 : SLICE - 40));
        hrl_thread_yield();
    }
    work(name, UINT64_MAX);
}

static void (*urgent_work)(void);
static void (*first_work)(void);

static void be_urgent(void *argument)
{
    (void)argument;
    urgent_work();
    hrl_thread_suspend(hrl_thread_current());
}

/* A may begin with something special. */
static void be_first(void *argument)
{
    if (first_work != NULL) {
        first_work();
    }
    work_for_ever(argument);
}

/* All on one core; another is idle. */
#if HRL_CORES > 1
#define OF_CORE 1
#else
#define OF_CORE 0
#endif
HRL_THREAD_DEFINE_ON(OF_CORE, a, be_first, "A", EQUAL, 64);
HRL_THREAD_DEFINE_ON(OF_CORE, b, work_for_ever, "B", EQUAL, 64);
HRL_THREAD_DEFINE_ON(OF_CORE, c, work_for_ever, "C", EQUAL, 64);
HRL_THREAD_DEFINE_ON(OF_CORE, h, be_urgent, NULL, URGENT, 64);
static struct hrl_thread *const workers[WORKERS] = {&a, &b, &c};

static void (*check)(void);

static void finish(const char *status)
{
    (void)status;
    check();
    if (__llvm_profile_write_file != NULL) {
        (void)__llvm_profile_write_file();
    }
    _exit(0);
}

static const char *expected;

/* In nanoseconds that are no whole counts a slice is up to a count shorter, and so all that follow. */
static bool is_near(const char *found, const char *wanted)
{
    for (;;) {
        char name, other;
        long at, due;
        int length, other_length;

        if (sscanf(found, " %c%ld%n", &name, &at, &length) != 2) {
            return sscanf(wanted, " %c", &other) != 1;
        }
        if (sscanf(wanted, " %c%ld%n", &other, &due, &other_length) != 2 || name != other ||
            labs(at - due) > PLAIN_TOLERANCE) {
            return false;
        }
        found += length;
        wanted += other_length;
    }
}

static void check_stretches(void)
{
    char found[4096] = "";

    for (unsigned i = 0; i < stretch_count; i++) {
        size_t length = strlen(found);

        (void)snprintf(found + length, sizeof found - length, "%s%c%" PRIu64, i == 0 ? "" : " ",
                       stretches[i].name, stretches[i].at);
    }
    if (!is_near(found, expected)) {
        differ(found, expected);
    }
}

struct run {
    hrl_counts clock_start;
    hrl_counts counts;
    unsigned workers;
    bool yield; /* the workers do, now and then */
    void (*first)(void);
    void (*urgent)(void);
    hrl_counts (*port_call_counts)(void);
    void (*check)(void);
};

static void play(struct run run)
{
    hrlp_host_setup.clock_start = start = run.clock_start;
    from = (hrl_stamp)start;
    hrlp_host_setup.start = (hrl_stamp)run.clock_start;
    hrlp_host_setup.duration = run.counts;
    hrlp_host_setup.limit = run.counts;
    hrlp_host_setup.finish = finish;
    hrlp_host_setup.port_call_counts = run.port_call_counts;
    first_work = run.first;
    workers_yield = run.yield;
    ready_workers = run.port_call_counts == NULL ? 0 : run.workers;
    urgent_work = run.urgent;
    check = run.check == NULL ? check_stretches : run.check;
    for (unsigned i = 0; i < run.workers; i++) {
        hrl_thread_start(workers[i]);
    }
    if (run.urgent != NULL) {
        hrl_thread_start(&h);
    }
    hrl_start();
}

static void play_apart(struct run run)
{
    int status;
    pid_t child;

    (void)fflush(NULL);
    child = fork();
    if (child == 0) {
        play(run);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Plays it from 0, and so that the clock wraps in the middle. */
static void expect(const char *with_slices, const char *under_a_tick, const char *without,
                   struct run run)
{
    expected = is_tick ? under_a_tick : has_slices ? with_slices : without;
    play_apart(run);
    run.clock_start = ((hrl_counts)1 << 32) - SLICE * 3 / 2;
    play_apart(run);
    run.clock_start = ((hrl_counts)7 << 32) - 1;
    play_apart(run);
}

static void test_equal_threads_take_turns(void **state)
{
    (void)state;
    expect("A0 B1000 C2000 A3000 B4000 C5000 A6000", "A0 B1000 C2000 A3000 B4000 C5000 A6000", "A0",
           (struct run){.counts = 6500, .workers = 3});
}

static void test_one_goes_on(void **state)
{
    (void)state;
    expect("A0", "A0", "A0", (struct run){.counts = 6500, .workers = 1});
}

static void wake_at(hrl_counts at)
{
    hrl_thread_sleep_until(from + at);
    work('H', 100);
}

static void wake_at_400(void)
{
    wake_at(400);
}

static void test_a_thread_that_is_switched_to_begins_a_fresh_slice(void **state)
{
    (void)state;
    expect("A0 H400 A500 B1500 A2500", "A0 H1000 B1100 A2000", "A0 H400 A500",
           (struct run){.counts = 2900, .workers = 2, .urgent = wake_at_400});
}

static void wake_often(void)
{
    static const hrl_counts instants[] = {1, 2, 1234, 1235, 3000, 5001, 7777};

    for (unsigned i = 0; i < sizeof instants / sizeof instants[0]; i++) {
        hrl_thread_sleep_until(from + instants[i]);
        note('a'); /* so that every wake-up is seen */
        note('H');
        hrlp_host_consume(1);
    }
}

static void test_wake_ups_come_to_the_count(void **state)
{
    (void)state;
    expect(
        "A0 a1 H1 a2 H2 A3 a1234 H1234 a1235 H1235 A1236 a3000 H3000 A3001 a5001 H5001 A5002 a7777 "
        "H7777 A7778",
        "A0 a1000 H1000 a1001 H1001 A1002 a2000 H2000 a2001 H2001 A2002 a3000 H3000 A3001 a6000 "
        "H6000 A6001 a8000 H8000 A8001",
        "A0 a1 H1 a2 H2 A3 a1234 H1234 a1235 H1235 A1236 a3000 H3000 A3001 a5001 H5001 A5002 a7777 "
        "H7777 A7778",
        (struct run){.counts = 8100, .workers = 1, .urgent = wake_often});
}

static void wake_at_1000(void)
{
    wake_at(SLICE);
}

/* The thread that wakes comes first; the slice that ended then has ended all the same. */
static void test_a_wake_up_and_the_slices_end_at_one_instant(void **state)
{
    (void)state;
    expect("A0 H1000 B1100 A2100", "A0 H1000 B1100 A2000", "A0 H1000 A1100",
           (struct run){.counts = 2900, .workers = 2, .urgent = wake_at_1000});
}

static void sleep_first(void)
{
    hrl_thread_sleep_until(from + 2 * SLICE);
}

/* A sleeps until B's slice ends: it is there to be given way to. */
static void test_an_equal_thread_wakes_as_the_slice_ends(void **state)
{
    (void)state;
    expect("B0 C1000 B2000 A3000 C4000", "B0 C1000 B2000 A3000 C4000", "B0",
           (struct run){.counts = 4100, .workers = 3, .first = sleep_first});
}

static void mask_over_the_end(void)
{
    hrlp_irq_state state;

    work('A', 900);
    state = hrlp_irq_lock();
    work('A', 300);
    hrlp_irq_unlock(state);
}

static void test_a_late_end_leaves_the_next_one_a_whole_slice(void **state)
{
    (void)state;
    expect("A0 B1200 A2200", "A0 B1200 A2000", "A0",
           (struct run){.counts = 2900, .workers = 2, .first = mask_over_the_end});
}

/* Masked for longer than several slices, with a wake-up meanwhile. */
static void mask_for_long(void)
{
    hrlp_irq_state state = hrlp_irq_lock();

    work('A', 5300);
    hrlp_irq_unlock(state);
}

static void test_slices_missed_are_not_made_up_for(void **state)
{
    (void)state;
    expect(
        "A0 H5300 B5400 A6400", "A0 H5300 B5400 A6000", "A0 H5300 A5400",
        (struct run){.counts = 6900, .workers = 2, .first = mask_for_long, .urgent = wake_at_400});
}

static void hold_over_the_end(void)
{
    work('A', 950);
    hrli_core_lock_dispatch();
    work('A', 100);
    hrli_core_allow_dispatch(EQUAL);
}

static void test_a_thread_that_holds_off_dispatch_gives_way_a_little_later(void **state)
{
    (void)state;
    expect("A0 B1500 A2500", "A0 B2000", "A0",
           (struct run){.counts = 2900, .workers = 2, .first = hold_over_the_end});
}

static void yield_at_900(void)
{
    work('A', SLICE - 100);
    hrl_thread_yield();
}

static void test_a_yield_begins_a_fresh_slice(void **state)
{
    (void)state;
    expect("A0 B900 A1900", "A0 B900 A1000 B2000", "A0 B900",
           (struct run){.counts = 2800, .workers = 2, .first = yield_at_900});
}

static hrl_counts few_counts(void)
{
    return random_below(&random_state, 4);
}

static void wake_at_random(void)
{
    for (;;) {
        hrl_thread_sleep_for(1 + random_below(&random_state, 4000));
        work('H', 1 + random_below(&random_state, 50));
    }
}

/*
 * However interrupts fall into the kernel's steps: equal threads take turns, and none is sent away before it has had a
 * whole slice since it was last switched to.
 */
static void check_turns(void)
{
    char last = 'C';
    hrl_counts since = 0;

    for (unsigned i = 0; i < stretch_count; i++) {
        char name = stretches[i].name;

        if (name != 'H' && name != last) {
            if (i != 0 && name != (last == 'C' ? 'A' : last + 1)) {
                differ("another order than A, B, C", "that");
            }
            if (i != 0 && stretches[i - 1].name != 'H' && !is_tick &&
                stretches[i].at - since + 50 < SLICE) {
                differ("a slice cut short", "whole slices");
            }
            last = name;
        }
        since = stretches[i].at;
    }
    if (stretch_count < (has_slices ? 1000 : 200)) {
        differ("few switches", "many");
    }
}

static void test_any_interleaving(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 10; seed++) {
        random_state = (struct random){seed};
        play_apart((struct run){.clock_start = ((hrl_counts)1 << 32) - 500000,
                                .counts = 1000000,
                                .workers = 3,
                                .urgent = wake_at_random,
                                .port_call_counts = few_counts,
                                .check = check_turns});
    }
}

static void check_many(void)
{
    if (stretch_count < 500) {
        differ("few switches", "many");
    }
}

/* Each works for a moment or for about a slice, then yields: just as the slice ends, too. */
static void test_slices_end_in_yields(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 10; seed++) {
        random_state = (struct random){seed};
        play_apart((struct run){.clock_start = ((hrl_counts)1 << 32) - 500000,
                                .counts = 600000,
                                .workers = 3,
                                .yield = true,
                                .urgent = wake_at_random,
                                .port_call_counts = few_counts,
                                .check = check_many});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_threads_take_turns),
        cmocka_unit_test(test_one_goes_on),
        cmocka_unit_test(test_a_thread_that_is_switched_to_begins_a_fresh_slice),
        cmocka_unit_test(test_wake_ups_come_to_the_count),
        cmocka_unit_test(test_a_wake_up_and_the_slices_end_at_one_instant),
        cmocka_unit_test(test_an_equal_thread_wakes_as_the_slice_ends),
        cmocka_unit_test(test_a_late_end_leaves_the_next_one_a_whole_slice),
        cmocka_unit_test(test_slices_missed_are_not_made_up_for),
        cmocka_unit_test(test_a_thread_that_holds_off_dispatch_gives_way_a_little_later),
        cmocka_unit_test(test_a_yield_begins_a_fresh_slice),
        cmocka_unit_test(test_any_interleaving),
        cmocka_unit_test(test_slices_end_in_yields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
