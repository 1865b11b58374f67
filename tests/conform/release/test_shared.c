/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "release_plan.h"
#include "shared.h"
#include "with_cmocka.h"
#include <stdlib.h>
#include <string.h>

/*
 * Threads that several tasks share, over every releaser mode and store. A random system is run twice: each task in a
 * thread of its own, then with the tasks of a stream in one thread.
 *
 * Without overruns both do the same at the same counts. With overruns the order among equals may differ, but in both
 * each release gives the task its job or its overrun by one rule: it is an overrun if the task's previous job has not
 * ended by then.
 */
enum { BODIES = 4, LOGGED = 200000 };

static unsigned systems = 36;
static const struct release_variant *variant;

/* ---- the system: each task of the plan is a thread with some bodies ---------------------------- */

struct member {
    unsigned thread;
    hrl_counts cost;
};

static struct release_plan plan;
static struct member member[SUT_TASKS];
static unsigned members, first_of[SUT_TASKS], bodies_of[SUT_TASKS];
static struct hrli_shared shared[SUT_TASKS];
static struct hrli_shared_task shared_tasks[SUT_TASKS];
static struct hrli_shared_jobs shared_jobs[SUT_TASKS];

struct log {
    hrl_counts at;
    unsigned member;
    bool ends;
};

static struct log logs[2][LOGGED];
static size_t logged[2];
static unsigned overruns[2][SUT_TASKS];
static bool is_sharing;

static void note(unsigned at, bool ends)
{
    assert_true(logged[is_sharing] < LOGGED);
    logs[is_sharing][logged[is_sharing]++] = (struct log){hrlp_host_now() - sut_zero(), at, ends};
}

static void run_member(unsigned at)
{
    note(at, false);
    hrlp_host_consume(member[at].cost);
    note(at, true);
}

/* A body of its own for each member. */
#define MEMBER(at)                                                                                 \
    static void body_##at(void)                                                                    \
    {                                                                                              \
        run_member(at);                                                                            \
    }
#define FOUR(of, ten) of(ten##0) of(ten##1) of(ten##2) of(ten##3)
#define EIGHT(of, ten) FOUR(of, ten) of(ten##4) of(ten##5) of(ten##6) of(ten##7)
#define ALL(of)                                                                                    \
    EIGHT(of, )                                                                                    \
    of(8) of(9) EIGHT(of, 1) of(18) of(19) EIGHT(of, 2) of(28) of(29) EIGHT(of, 3) of(38) of(39)   \
        EIGHT(of, 4) of(48) of(49) EIGHT(of, 5) of(58) of(59) FOUR(of, 6)
ALL(MEMBER)
#define NAME(at) body_##at,
static void (*const body[])(void) = {ALL(NAME)};
#define TEXT(at) #at,
static const char *const names[] = {ALL(TEXT)};

static unsigned running_thread(void)
{
    return (unsigned)((struct hrli_periodic_thread *)hrl_thread_current() - sut_periodic(0));
}

static void run_alone(void)
{
    run_member(running_thread());
}

/* What HRLI_SHARED_THREAD makes of a list of tasks. */
static void run_shared(void)
{
    unsigned thread = running_thread();
    const struct hrli_shared *self = &shared[thread];
    uint32_t span = hrli_shared_span(self->thread);
    hrl_stamp from = self->thread->waiter.node.key;

    if (self->count == 1) { /* a thread like any other */
        self->tasks[0].body();
        return;
    }
    if (span == 0) {
        hrli_shared_run_slowly(self);
        return;
    }
    for (unsigned at = 0; at + 1 < self->count; at++) {
        self->tasks[at].body();
        if (hrli_shared_is_late(self, from, span)) {
            hrli_shared_end_late(self, at);
            return;
        }
    }
    self->tasks[self->count - 1].body();
}

/* The clock tells which instants have passed where the store serves those only that a task waits for. */
static bool asks_clock(unsigned releaser)
{
    return plan.releaser[releaser].one_shot && !release_plan_is_static(&plan, releaser);
}

static void draw_members(struct random *random)
{
    members = 0;
    for (unsigned i = 0; i < plan.tasks; i++) {
        bool may_share = plan.task[i].period.hops == 0;

        plan.task[i].queue_overruns = false;
        bodies_of[i] = may_share ? random_between(random, 1, BODIES) : 1;
        first_of[i] = members;
        for (unsigned n = 0; n < bodies_of[i]; n++) {
            hrl_counts most = plan.task[i].cost / bodies_of[i];
            member[members++] = (struct member){i, 1 + most * random_between(random, 1, 19) / 10};
        }
    }
}

static void add_releasers(void)
{
    hrl_counts clock_start = hrlp_host_setup.clock_start;

    sut_reset();
    hrlp_host_setup.clock_start = clock_start;
    for (unsigned i = 0; i < plan.releasers; i++) {
        sut_add_releaser(plan.releaser[i]);
    }
}

static void add_apart(void)
{
    add_releasers();
    for (unsigned at = 0; at < members; at++) {
        struct sut_task task = plan.task[member[at].thread];

        task.cost = 0;
        task.body = run_alone;
        sut_add_task(task);
    }
}

static void add_together(void)
{
    add_releasers();
    memset(shared_jobs, 0, sizeof shared_jobs);
    for (unsigned i = 0; i < plan.tasks; i++) {
        struct sut_task task = plan.task[i];

        task.cost = 0;
        task.is_shared = bodies_of[i] > 1;
        task.body = run_shared;
        for (unsigned at = first_of[i]; at < first_of[i] + bodies_of[i]; at++) {
            shared_tasks[at] = (struct hrli_shared_task){body[at], names[at]};
        }
        sut_add_task(task);
        shared[i] = (struct hrli_shared){
            sut_periodic(i),
            asks_clock(task.releaser) ? NULL : &sut_releaser_of(task.releaser)->served,
            &shared_tasks[first_of[i]], &shared_jobs[first_of[i]], bodies_of[i]};
    }
}

static void run(bool together)
{
    is_sharing = together;
    logged[together] = 0;
    together ? add_together() : add_apart();
    hrlp_host_setup.limit = plan.duration;
    (void)sut_run(plan.duration);
    for (unsigned at = 0; at < members; at++) {
        const struct hrli_periodic_thread *thread = sut_periodic(together ? member[at].thread : at);

        overruns[together][at] = thread->is_shared ? shared_jobs[at].overruns : thread->overruns;
    }
}

/* ---- one rule for both ------------------------------------------------------------------------- */

/*
 * The jobs of one task, and its overruns. A job that ends just when the next release is due is in time or not, as the
 * cell's interrupt comes before the test or after it.
 */
static void check_member(bool together, unsigned at, unsigned n)
{
    unsigned thread = member[at].thread, counted = 0, unclear = 0, later = 0;
    hrl_counts ended = 0;
    bool any = false;
    uint64_t k = 0;

    for (size_t i = 0; i < logged[together]; i++) {
        const struct log *log = &logs[together][i];

        if (log->member != at) {
            continue;
        }
        if (log->ends) {
            ended = log->at;
            k++;
            continue;
        }
        for (; any && release_plan_nominal(&plan, thread, k) < ended; k++) {
            counted++;
        }
        if (any && release_plan_nominal(&plan, thread, k) <= ended + HRLP_CELL_EARLY_COUNTS) {
            unclear++;
            if (release_plan_nominal(&plan, thread, k + 1) <= log->at &&
                counted < overruns[together][at]) {
                counted++;
                k++;
            }
        }
        if (log->at + HRLP_CELL_EARLY_COUNTS < release_plan_nominal(&plan, thread, k)) {
            fail_msg("system %u, %s: task %u began job %llu at %llu, before its release at %llu", n,
                     together ? "shared" : "apart", at, (unsigned long long)k,
                     (unsigned long long)log->at,
                     (unsigned long long)release_plan_nominal(&plan, thread, k));
        }
        any = true;
    }
    while (release_plan_nominal(&plan, thread, k + later) < plan.duration) {
        later++;
    }
    if (overruns[together][at] + unclear < counted ||
        overruns[together][at] > counted + unclear + later) {
        fail_msg("system %u, %s: task %u has %u overruns, expected %u", n,
                 together ? "shared" : "apart", at, overruns[together][at], counted);
    }
}

static unsigned all_overruns(bool together)
{
    unsigned sum = 0;

    for (unsigned at = 0; at < members; at++) {
        sum += overruns[together][at];
    }
    return sum;
}

/* Of one level the plan has one thread. */
static bool levels_differ(void)
{
    for (unsigned i = 0; i < plan.tasks; i++) {
        for (unsigned k = 0; k < i; k++) {
            if (plan.task[i].level == plan.task[k].level) {
                return false;
            }
        }
    }
    return true;
}

/* The next end of a job from `i` on, which is counted. */
static const struct log *next_end(bool together, size_t *i)
{
    while (*i < logged[together]) {
        const struct log *log = &logs[together][(*i)++];

        if (log->ends) {
            return log;
        }
    }
    return NULL;
}

/*
 * All jobs end at the same counts, in the same order. They may begin at others: where one ends just when a more urgent
 * task is due, the next body has begun or not, as no call of the kernel lets the interrupt in between.
 */
static void check_equal(unsigned n)
{
    size_t i = 0, k = 0;

    for (;;) {
        const struct log *a = next_end(false, &i), *b = next_end(true, &k);

        if (a == NULL || b == NULL) {
            assert_true(a == b);
            return;
        }
        if (a->at != b->at || a->member != b->member) {
            fail_msg("system %u: task %u ends at %llu apart, task %u at %llu shared", n, a->member,
                     (unsigned long long)a->at, b->member, (unsigned long long)b->at);
        }
    }
}

static unsigned compared, late;

static void check_system(unsigned n, bool is_light)
{
    unsigned sum = 0;

    run(false);
    run(true);
    for (unsigned at = 0; at < members; at++) {
        check_member(false, at, n);
        check_member(true, at, n);
    }
    for (unsigned i = 0; i < plan.tasks;
         i++) { /* the thread counts what its tasks count, and so does the hook */
        sum = 0;
        for (unsigned at = first_of[i]; at < first_of[i] + bodies_of[i]; at++) {
            sum += overruns[true][at];
        }
        if (sut_periodic(i)->overruns != sum || sut_overrun_hooks[i] != sum) {
            fail_msg(
                "system %u: thread %u of %u tasks counts %u overruns, the hook %u, its tasks %u", n,
                i, bodies_of[i], sut_periodic(i)->overruns, sut_overrun_hooks[i], sum);
        }
    }
    if (is_light && levels_differ() && all_overruns(false) == 0) {
        check_equal(n);
        compared++;
    }
    late += all_overruns(true) != 0;
}

static void run_systems(unsigned percent)
{
    compared = late = 0;
    for (unsigned n = 0; n < systems; n++) {
        struct random random = {.state = 5000011u * percent + n + 1};

        release_plan_build(&random, variant, &plan, percent, false);
        draw_members(&random);
        check_system(n, percent < 50);
    }
}

static void test_light_load_is_that_of_separate_threads(void **state)
{
    variant = *state;
    run_systems(40);
    assert_true(compared > systems / 8);
}

static void test_full_load_gives_each_release_its_job_or_overrun(void **state)
{
    variant = *state;
    run_systems(95);
}

static void test_overload_gives_each_release_its_job_or_overrun(void **state)
{
    variant = *state;
    run_systems(150);
    assert_true(late > systems / 4);
}

/* Threads are late by minutes, and the clock's low half wraps. */
static void test_long_overload_gives_each_release_its_job_or_overrun(void **state)
{
    variant = *state;
    late = 0;
    for (unsigned n = 0; n < systems / 6; n++) {
        struct random random = {.state = 3000017u + n};

        release_plan_build_long(&random, variant, &plan, n % 2 == 0 ? 120 : 300);
        draw_members(&random);
        if (release_plan_can_be_built(&plan)) {
            check_system(n, false);
        }
    }
    assert_true(late > 0);
}

int main(int argc, char **argv)
{
    int failed = 0;

    if (argc == 2) {
        systems = (unsigned)strtoul(argv[1], NULL, 10);
    }
    for (size_t i = 0; i < release_variant_count; i++) {
        void *it = (void *)&release_variants[i];
        const struct CMUnitTest tests[] = {
            cmocka_unit_test_prestate(test_light_load_is_that_of_separate_threads, it),
            cmocka_unit_test_prestate(test_full_load_gives_each_release_its_job_or_overrun, it),
            cmocka_unit_test_prestate(test_overload_gives_each_release_its_job_or_overrun, it),
            cmocka_unit_test_prestate(test_long_overload_gives_each_release_its_job_or_overrun, it),
        };
        failed += cmocka_run_group_tests_name(release_variants[i].name, tests, NULL, NULL);
    }
    return failed != 0;
}
