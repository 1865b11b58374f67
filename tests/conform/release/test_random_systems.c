/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "release_model.h"
#include "with_cmocka.h"
#include <stdlib.h>
#include <string.h>

/*
 * One suite over every releaser mode and store: random systems do what a plain model of fixed-priority
 * scheduling does (support/release_model.h). A new mode or store adds a variant to release_variants.
 *
 * With time standing still in the kernel the model is exact: every release, start and end, at its count, and
 * the number of interrupts. With time passing between the kernel's steps, at random, the nominal instants stay
 * exact and nothing is lost, early, or released twice.
 */
static unsigned systems = 24;
static const struct release_variant *variant;

/* ---- comparison ------------------------------------------------------------------------------- */

/* Which of two releases of one instant came first is the cells' business; otherwise order counts. */
static int compare(const void *a, const void *b)
{
    const struct model_event *x = a, *y = b;
    bool x_release = x->kind == 'R', y_release = y->kind == 'R';

    if (x->at != y->at) {
        return x->at < y->at ? -1 : 1;
    }
    if (x_release != y_release) {
        return x_release ? -1 : 1;
    }
    return x_release && x->task != y->task ? (x->task < y->task ? -1 : 1) : 0;
}

/* glibc's qsort is stable (a merge sort) for arrays that fit into memory. */
static void sort(struct model_event *events, size_t count)
{
    qsort(events, count, sizeof *events, compare);
}

static void check_exactly(const struct release_plan *plan, uint64_t seed)
{
    static struct model_event seen[SUT_EVENTS];
    struct model_event *expected = release_model.events;
    size_t count = 0;

    for (size_t i = 0; i < sut_event_count; i++) {
        const struct sut_event *event = &sut_events[i];
        if (event->kind == 'R' || event->kind == 'S' || event->kind == 'E') {
            seen[count++] =
                (struct model_event){event->at - sut_zero(), event->kind, event->index,
                                     event->kind == 'R' ? event->value - sut_zero() : 0};
        }
    }
    sort(seen, count);
    sort(expected, release_model.count);
    for (size_t i = 0; i < count && i < release_model.count; i++) {
        if (seen[i].at != expected[i].at || seen[i].kind != expected[i].kind ||
            seen[i].task != expected[i].task || seen[i].nominal != expected[i].nominal) {
            fail_msg("seed %llu, event %zu: seen %llu %c %u %llu, expected %llu %c %u %llu",
                     (unsigned long long)seed, i, (unsigned long long)seen[i].at, seen[i].kind,
                     seen[i].task, (unsigned long long)seen[i].nominal,
                     (unsigned long long)expected[i].at, expected[i].kind, expected[i].task,
                     (unsigned long long)expected[i].nominal);
        }
    }
    assert_int_equal(count, release_model.count);
    for (unsigned i = 0; i < plan->tasks; i++) {
        assert_int_equal(sut_periodic(i)->overruns, release_model.overruns[i]);
        assert_int_equal(sut_overrun_hooks[i], release_model.overruns[i]);
    }
    for (unsigned i = 0; i < plan->releasers; i++) {
        if (sut_count('I', i) != release_model.interrupts[i]) {
            fail_msg("seed %llu: cell %u interrupted %zu times, expected %llu",
                     (unsigned long long)seed, i, sut_count('I', i),
                     (unsigned long long)release_model.interrupts[i]);
        }
    }
}

static void run_exactly(unsigned percent)
{
    for (unsigned n = 0; n < systems; n++) {
        struct random random = {.state = 1000003u * percent + n + 1};
        struct release_plan plan;

        release_plan_build(&random, variant, &plan, percent, false);
        hrlp_host_setup.limit = plan.duration; /* busy or not */
        (void)sut_run(plan.duration);
        release_model_run(&plan);
        check_exactly(&plan, n);
    }
}

static void test_light_load_is_the_models(void **state)
{
    variant = *state;
    run_exactly(50);
}

static void test_full_load_is_the_models(void **state)
{
    variant = *state;
    run_exactly(98);
}

static void test_overload_is_the_models(void **state)
{
    variant = *state;
    run_exactly(130);
}

/* The less urgent tasks are late by minutes; half of the tasks queue what they are late by. */
static void test_long_overload_is_the_models(void **state)
{
    variant = *state;
    for (unsigned n = 0; n < 8 + systems / 12; n++) {
        struct random random = {.state = 7000003u + n};
        struct release_plan plan;

        release_plan_build_long(&random, variant, &plan, n % 2 == 0 ? 120 : 300);
        if (!release_plan_can_be_built(&plan)) {
            continue;
        }
        hrlp_host_setup.limit = plan.duration;
        (void)sut_run(plan.duration);
        release_model_run(&plan);
        check_exactly(&plan, n);
    }
}

/* ---- time passes in the kernel ---------------------------------------------------------------- */

static struct random jitter;
static uint32_t most_counts;

static hrl_counts some_counts(void)
{
    return random_below(&jitter, 4) == 0 ? random_below(&jitter, most_counts) : 0;
}

/*
 * Each task's nominal instants are exactly its own, in order. With "queue" each is released or counted as
 * an overrun; with "skip" the same, and what was skipped is what is missing.
 */
static void check_task(const struct release_plan *plan, unsigned task, uint64_t seed)
{
    uint64_t k = 0;
    uint64_t jumps = 0;
    size_t releases = 0;

    for (size_t i = 0; i < sut_event_count; i++) {
        const struct sut_event *event = &sut_events[i];
        if (event->kind != 'R' || event->index != task) {
            continue;
        }
        while (sut_zero() + release_plan_nominal(plan, task, k) < event->value) {
            k++;
            jumps++;
        }
        if (sut_zero() + release_plan_nominal(plan, task, k) != event->value) {
            fail_msg("seed %llu: task %u released for %llu, not its instant",
                     (unsigned long long)seed, task,
                     (unsigned long long)(event->value - sut_zero()));
        }
        if (event->at + HRLP_CELL_EARLY_COUNTS < event->value) {
            fail_msg("seed %llu: task %u released too early", (unsigned long long)seed, task);
        }
        k++;
        releases++;
    }
    /* Overruns after the last release cannot be seen as jumps. */
    if (jumps > sut_periodic(task)->overruns) {
        fail_msg("seed %llu: task %u lost %llu releases without an overrun",
                 (unsigned long long)seed, task,
                 (unsigned long long)(jumps - sut_periodic(task)->overruns));
    }
    k += sut_periodic(task)->overruns - jumps;
    if (release_plan_nominal(plan, task, k) < plan->duration &&
        sut_zero() + release_plan_nominal(plan, task, k) < hrlp_host_now()) {
        fail_msg("seed %llu: task %u stopped after release %llu", (unsigned long long)seed, task,
                 (unsigned long long)k);
    }
    assert_int_equal(sut_count('S', task),
                     releases +
                         (plan->task[task].queue_overruns ? sut_periodic(task)->overruns : 0));
}

static void run_with_jitter(unsigned percent, uint32_t most)
{
    for (unsigned n = 0; n < systems; n++) {
        struct random random = {.state = 7000003u * percent + n + most};
        struct release_plan plan;

        release_plan_build(&random, variant, &plan, percent, true);
        jitter.state = n + 1;
        hrlp_host_setup.cells_early = random_below(&random, HRLP_CELL_EARLY_COUNTS + 1);
        most_counts = most;
        hrlp_host_setup.port_call_counts = some_counts;
        sut_insert_counts = some_counts;
        hrlp_host_setup.limit = plan.duration * 3;
        (void)sut_run(plan.duration);    /* may stay busy: the kernel has become slow */
        if (percent < 50 && most <= 4) { /* a slower kernel may be overloaded by itself */
            assert_true(hrlp_host_now() < sut_zero() + hrlp_host_setup.limit);
        }
        for (unsigned i = 0; i < plan.tasks && hrlp_host_now() < sut_zero() + plan.duration * 3;
             i++) {
            check_task(&plan, i, n);
        }
    }
}

static void test_races_at_every_step_lose_nothing(void **state)
{
    variant = *state;
    run_with_jitter(30, 4);
    run_with_jitter(30, 40);
}

static void test_races_under_overload_lose_nothing(void **state)
{
    variant = *state;
    run_with_jitter(90, 40);
    run_with_jitter(60, 400);
}

/*
 * A walk of a delay queue holds off the interrupts' work, and nothing else does: what is due meanwhile, on whatever
 * cell, is served when the walk ends.
 */
enum { LONGEST_WALK = 300 };

static hrl_counts a_walk(void)
{
    return random_below(&jitter, LONGEST_WALK + 1);
}

static void test_a_walk_delays_by_itself_only(void **state)
{
    variant = *state;
    for (unsigned n = 0; n < systems; n++) {
        struct random random = {.state = 9000011u + n};
        struct release_plan plan;

        release_plan_build(&random, variant, &plan, 50, true);
        jitter.state = n + 1;
        sut_insert_counts = a_walk;
        hrlp_host_setup.limit = plan.duration;
        (void)sut_run(plan.duration);
        for (size_t i = 0; i < sut_event_count; i++) {
            const struct sut_event *event = &sut_events[i];
            if (event->kind == 'R' && event->at > event->value + LONGEST_WALK) {
                fail_msg("seed %u: task %u released %llu counts late, at %llu", n, event->index,
                         (unsigned long long)(event->at - event->value),
                         (unsigned long long)(event->at - sut_zero()));
            }
        }
    }
}

/* "soak": more systems; or the name of the only variant, and of how many systems. */
int main(int argc, char **argv)
{
    int failed = 0;
    bool found = false;

    if (argc == 2 && strcmp(argv[1], "soak") == 0) {
        systems = 5000;
    } else if (argc == 3) {
        systems = (unsigned)strtoul(argv[2], NULL, 10);
    }
    for (size_t i = 0; i < release_variant_count; i++) {
        void *it = (void *)&release_variants[i];
        const struct CMUnitTest tests[] = {
            cmocka_unit_test_prestate(test_light_load_is_the_models, it),
            cmocka_unit_test_prestate(test_full_load_is_the_models, it),
            cmocka_unit_test_prestate(test_overload_is_the_models, it),
            cmocka_unit_test_prestate(test_long_overload_is_the_models, it),
            cmocka_unit_test_prestate(test_races_at_every_step_lose_nothing, it),
            cmocka_unit_test_prestate(test_races_under_overload_lose_nothing, it),
            cmocka_unit_test_prestate(test_a_walk_delays_by_itself_only, it),
        };
        if (argc != 3 || strcmp(argv[1], release_variants[i].name) == 0) {
            failed += cmocka_run_group_tests_name(release_variants[i].name, tests, NULL, NULL);
            found = true;
        }
    }
    return found ? failed != 0 : 2;
}
