/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "system_under_test.h"
#include "with_cmocka.h"
#include <stdlib.h>
#include <string.h>

/*
 * One suite over every releaser mode: random systems do what a plain model of fixed-priority scheduling
 * does. A new mode or store adds a variant to `variants` at the end.
 *
 * With time standing still in the kernel the model is exact: every release, start and end, at its count.
 * With time passing between the kernel's steps, at random, the nominal instants stay exact and nothing is
 * lost, early, or released twice.
 */
struct variant {
    const char *name;
    /* Whether releaser i is one-shot. */
    bool (*one_shot)(struct random *random, unsigned i);
};

static unsigned systems = 400;
static const struct variant *variant;

/* The system, as the model sees it. */
struct plan {
    unsigned releasers, tasks;
    bool one_shot[SUT_RELEASERS];
    uint32_t base[SUT_RELEASERS];
    struct sut_task task[SUT_TASKS];
    uint64_t numerator[SUT_TASKS]; /* period = numerator / denominator */
    uint32_t denominator[SUT_TASKS];
    hrl_counts duration;
};

/* Release k of a task, from t = 0. */
static hrl_counts nominal(const struct plan *plan, unsigned task, uint64_t k)
{
    return plan->task[task].offset +
           (hrl_counts)((unsigned __int128)plan->numerator[task] * k / plan->denominator[task]);
}

static void draw_task(struct random *random, struct plan *plan, unsigned i, unsigned percent)
{
    unsigned releaser = random_below(random, plan->releasers);
    uint32_t base = plan->base[releaser];
    hrl_counts period;

    plan->denominator[i] = 1;
    if (plan->one_shot[releaser] && random_below(random, 2) == 0) {
        plan->denominator[i] = random_between(random, 2, 1000);
    }
    plan->numerator[i] = (uint64_t)base * random_between(random, 1, 20) * plan->denominator[i];
    if (plan->denominator[i] != 1) {
        plan->numerator[i] += random_below(random, plan->denominator[i]);
    }
    period = plan->numerator[i] / plan->denominator[i];
    plan->task[i] = (struct sut_task){
        .releaser = releaser,
        /* One level belongs to one releaser: the model does not know in which order cells fall. */
        .level = 1 + releaser + 4 * random_below(random, 7),
        .offset = base * random_below(random, 5),
        .period = sut_period(plan->numerator[i], plan->denominator[i]),
        .queue_overruns = random_below(random, 2) == 0,
        .cost = 1 + period * percent / 100 / plan->tasks * random_between(random, 5, 15) / 10,
    };
}

static void build(struct random *random, struct plan *plan, unsigned percent, bool spans)
{
    sut_reset();
    *plan = (struct plan){.releasers = random_between(random, 1, 4),
                          .tasks = random_between(random, 1, 16),
                          .duration = random_between(random, 100000, 400000)};
    for (unsigned i = 0; i < plan->releasers; i++) {
        plan->one_shot[i] = variant->one_shot(random, i);
        plan->base[i] = 50 * random_between(random, 5, 40) + random_below(random, 2);
        sut_add_releaser((struct sut_releaser){.one_shot = plan->one_shot[i],
                                               .cell_period = plan->base[i],
                                               .span = spans && random_below(random, 3) == 0
                                                           ? random_between(random, 1000, 9000)
                                                           : 0});
    }
    for (unsigned i = 0; i < plan->tasks; i++) {
        draw_task(random, plan, i, percent);
        sut_add_task(plan->task[i]);
    }
    hrlp_host_setup.clock_start =
        random_below(random, 2) == 0 ? 0 : ((hrl_counts)1 << 32) - random_below(random, 300000);
}

/* ---- the model -------------------------------------------------------------------------------- */

enum status { WAITING, READY };
enum { ANY = SUT_RELEASERS };

struct model_task {
    enum status status;
    uint64_t next;   /* number of the release that it waits for, or had last */
    uint64_t since;  /* order in which it began to wait, or became ready */
    hrl_counts left; /* of the present job */
    bool started;
    uint32_t overruns;
};

struct model_event {
    hrl_counts at;
    char kind;
    unsigned task;
    hrl_counts nominal;
};

static struct model_task model[SUT_TASKS];
static hrl_counts model_served[SUT_RELEASERS]; /* 1 + the latest instant of a release */
static struct model_event *expected;
static size_t expected_count;
static uint64_t order;

static void expect(hrl_counts at, char kind, unsigned task, hrl_counts instant)
{
    assert_true(expected_count < SUT_EVENTS);
    expected[expected_count++] = (struct model_event){at, kind, task, instant};
}

/* The waiting task that is released next: earliest, then the one that has waited longest. */
static int model_next_release(const struct plan *plan, unsigned releaser)
{
    int best = -1;

    for (unsigned i = 0; i < plan->tasks; i++) {
        if (model[i].status == WAITING && (releaser == ANY || plan->task[i].releaser == releaser)) {
            hrl_counts due = nominal(plan, i, model[i].next);
            hrl_counts best_due = best < 0 ? 0 : nominal(plan, (unsigned)best, model[best].next);
            if (best < 0 || due < best_due ||
                (due == best_due && model[i].since < model[best].since)) {
                best = (int)i;
            }
        }
    }
    return best;
}

static int model_running(const struct plan *plan)
{
    int best = -1;

    for (unsigned i = 0; i < plan->tasks; i++) {
        if (model[i].status == READY && (best < 0 || plan->task[i].level > plan->task[best].level ||
                                         (plan->task[i].level == plan->task[best].level &&
                                          model[i].since < model[best].since))) {
            best = (int)i;
        }
    }
    return best;
}

/* The job ends now: a release before now, or served a little early, has passed and is an overrun. */
static void model_end(const struct plan *plan, unsigned task, hrl_counts now)
{
    struct model_task *self = &model[task];

    expect(now, 'E', task, 0);
    for (;;) {
        self->next++;
        if (nominal(plan, task, self->next) >= now &&
            nominal(plan, task, self->next) >= model_served[plan->task[task].releaser]) {
            self->status = WAITING;
            self->since = order++;
            return;
        }
        self->overruns++;
        if (plan->task[task].queue_overruns) {
            self->left = plan->task[task].cost;
            expect(now, 'S', task, 0); /* at once, nobody is more urgent; what is due now follows */
            return;
        }
    }
}

static void model_release(const struct plan *plan, unsigned task, hrl_counts now)
{
    hrl_counts instant = nominal(plan, task, model[task].next);

    expect(now, 'R', task, instant);
    model_served[plan->task[task].releaser] = instant + 1;
    model[task].status = READY;
    model[task].since = order++;
    model[task].left = plan->task[task].cost;
    model[task].started = false;
}

/* A releaser that interrupts now serves what is due HRLP_CELL_EARLY_COUNTS later, too. */
static void model_release_due(const struct plan *plan, hrl_counts now)
{
    bool interrupts[SUT_RELEASERS] = {false};

    for (unsigned i = 0; i < plan->tasks; i++) {
        if (model[i].status == WAITING && nominal(plan, i, model[i].next) <= now) {
            interrupts[plan->task[i].releaser] = true;
        }
    }
    for (unsigned releaser = 0; releaser < plan->releasers; releaser++) {
        while (interrupts[releaser]) {
            int task = model_next_release(plan, releaser);
            if (task < 0 ||
                nominal(plan, (unsigned)task, model[task].next) > now + HRLP_CELL_EARLY_COUNTS) {
                break;
            }
            model_release(plan, (unsigned)task, now);
        }
    }
}

static void run_model(const struct plan *plan)
{
    hrl_counts now = 0;

    order = 0;
    expected_count = 0;
    memset(model_served, 0, sizeof model_served);
    for (unsigned i = 0; i < plan->tasks; i++) {
        model[i] = (struct model_task){.status = WAITING, .since = order++};
    }
    while (now < plan->duration) {
        int running, next;
        hrl_counts next_release;

        model_release_due(plan, now);
        running = model_running(plan);
        next = model_next_release(plan, ANY);
        next_release = next < 0 ? UINT64_MAX : nominal(plan, (unsigned)next, model[next].next);
        if (running < 0) {
            now = next_release;
            continue;
        }
        if (!model[running].started) {
            model[running].started = true;
            expect(now, 'S', (unsigned)running, 0);
        }
        if (next_release < now + model[running].left) {
            model[running].left -= next_release - now;
            now = next_release;
        } else {
            now += model[running].left;
            if (now < plan->duration) {
                model_end(plan, (unsigned)running, now);
            }
        }
    }
}

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

static void check_exactly(const struct plan *plan, uint64_t seed)
{
    static struct model_event seen[SUT_EVENTS];
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
    sort(expected, expected_count);
    for (size_t i = 0; i < count && i < expected_count; i++) {
        if (seen[i].at != expected[i].at || seen[i].kind != expected[i].kind ||
            seen[i].task != expected[i].task || seen[i].nominal != expected[i].nominal) {
            fail_msg("seed %llu, event %zu: seen %llu %c %u %llu, expected %llu %c %u %llu",
                     (unsigned long long)seed, i, (unsigned long long)seen[i].at, seen[i].kind,
                     seen[i].task, (unsigned long long)seen[i].nominal,
                     (unsigned long long)expected[i].at, expected[i].kind, expected[i].task,
                     (unsigned long long)expected[i].nominal);
        }
    }
    assert_int_equal(count, expected_count);
    for (unsigned i = 0; i < plan->tasks; i++) {
        assert_int_equal(sut_thread(i)->overruns, model[i].overruns);
        assert_int_equal(sut_overrun_hooks[i], model[i].overruns);
    }
}

static void run_exactly(unsigned percent)
{
    for (unsigned n = 0; n < systems; n++) {
        struct random random = {.state = 1000003u * percent + n + 1};
        struct plan plan;

        build(&random, &plan, percent, false);
        run_model(&plan);
        hrlp_host_setup.limit = plan.duration; /* busy or not */
        (void)sut_run(plan.duration);
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
static void check_task(const struct plan *plan, unsigned task, uint64_t seed)
{
    uint64_t k = 0;
    uint64_t jumps = 0;
    size_t releases = 0;

    for (size_t i = 0; i < sut_event_count; i++) {
        const struct sut_event *event = &sut_events[i];
        if (event->kind != 'R' || event->index != task) {
            continue;
        }
        while (sut_zero() + nominal(plan, task, k) < event->value) {
            k++;
            jumps++;
        }
        if (sut_zero() + nominal(plan, task, k) != event->value) {
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
    if (jumps > sut_thread(task)->overruns) {
        fail_msg("seed %llu: task %u lost %llu releases without an overrun",
                 (unsigned long long)seed, task,
                 (unsigned long long)(jumps - sut_thread(task)->overruns));
    }
    k += sut_thread(task)->overruns - jumps;
    if (k == 0 || (nominal(plan, task, k) < plan->duration &&
                   sut_zero() + nominal(plan, task, k) < hrlp_host_now())) {
        fail_msg("seed %llu: task %u stopped after release %llu", (unsigned long long)seed, task,
                 (unsigned long long)k);
    }
    assert_int_equal(sut_count('S', task),
                     releases + (plan->task[task].queue_overruns ? sut_thread(task)->overruns : 0));
}

static void run_with_jitter(unsigned percent, uint32_t most)
{
    for (unsigned n = 0; n < systems; n++) {
        struct random random = {.state = 7000003u * percent + n + most};
        struct plan plan;

        build(&random, &plan, percent, true);
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

static bool never(struct random *random, unsigned i)
{
    (void)random;
    (void)i;
    return false;
}

static bool always(struct random *random, unsigned i)
{
    (void)random;
    (void)i;
    return true;
}

static bool sometimes(struct random *random, unsigned i)
{
    (void)i;
    return random_below(random, 2) == 0;
}

static struct variant variants[] = {
    {"periodic, sorted list", never},
    {"one-shot, sorted list", always},
    {"mixed, sorted list", sometimes},
};

int main(int argc, char **argv)
{
    int failed = 0;
    static struct model_event events[SUT_EVENTS];

    expected = events;
    if (argc > 1 && strcmp(argv[1], "soak") == 0) {
        systems = 5000;
    }
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        const struct CMUnitTest tests[] = {
            cmocka_unit_test_prestate(test_light_load_is_the_models, &variants[i]),
            cmocka_unit_test_prestate(test_full_load_is_the_models, &variants[i]),
            cmocka_unit_test_prestate(test_overload_is_the_models, &variants[i]),
            cmocka_unit_test_prestate(test_races_at_every_step_lose_nothing, &variants[i]),
            cmocka_unit_test_prestate(test_races_under_overload_lose_nothing, &variants[i]),
        };
        failed += cmocka_run_group_tests_name(variants[i].name, tests, NULL, NULL);
    }
    return failed;
}
