/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random systems of basic tasks against a model of the order in which jobs begin and end: levels,
 * ranks, limits, activations, chains, ends and resources; under each dispatcher. No time passes.
 */
#include "lines_under_test.h"
#include "random.h"
#include "with_cmocka.h"
#include <hrl/resource.h>
#include <string.h>

enum { SYSTEMS = 400, MOST_TASKS = 16, STEPS = 6, ROUNDS = 4, BUDGET = 120, EVENTS = 4000 };
enum kind { NOTHING, ACTIVATE, CHAIN, TERMINATE, TAKE, GIVE, KINDS };

struct step {
    enum kind kind;
    unsigned other;
};

static unsigned task_count;
static bool may_end; /* in this system */
static uint32_t level_of[MOST_TASKS], limit_of[MOST_TASKS];
static struct step script[MOST_TASKS][STEPS];
static unsigned rounds[ROUNDS][3];

/* What happened on one side. */
struct side {
    int events[EVENTS]; /* a task that begins, or ~ the one that ends */
    unsigned count;
    unsigned budget; /* activations that are left */
    unsigned overruns[MOST_TASKS];
};
static struct side kernel, model;

static void record(struct side *side, int event)
{
    assert_true(side->count < EVENTS);
    side->events[side->count++] = event;
}

static bool may_activate(struct side *side)
{
    return side->budget != 0 && side->budget-- != 0;
}

/* A level's resource; the tasks that may take it are not above. */
static struct hrl_resource resources[LUT_LEVELS + 1];

/* The lowest ceiling above those that the job holds. */
static uint32_t next_ceiling(uint32_t level, const uint32_t *held, unsigned count)
{
    return count == 0 ? level : held[count - 1] + 1;
}

/* The kernel's side. */

static void job(void)
{
    unsigned self = (unsigned)(hrl_basic_current() - lut_task(0));
    uint32_t held[STEPS];
    unsigned count = 0;

    record(&kernel, (int)self);
    for (unsigned i = 0; i < STEPS; i++) {
        const struct step *step = &script[self][i];
        const struct hrl_basic *other = lut_task(step->other);
        uint32_t ceiling = next_ceiling(level_of[self], held, count);

        if (step->kind == ACTIVATE && may_activate(&kernel)) {
            (void)hrl_basic_activate(other);
        } else if (step->kind == CHAIN && count == 0 && may_activate(&kernel)) {
            record(&kernel, ~(int)self);
            (void)hrl_basic_chain(other);
            record(&kernel, (int)self); /* the other is full: it goes on */
        } else if (step->kind == TERMINATE && count == 0) {
            record(&kernel, ~(int)self);
            hrl_basic_terminate();
        } else if (step->kind == TAKE && ceiling <= LUT_LEVELS) {
            hrl_resource_take(&resources[ceiling]);
            held[count++] = ceiling;
        } else if (step->kind == GIVE && count != 0) {
            hrl_resource_give(&resources[held[--count]]);
        }
    }
    while (count != 0) {
        hrl_resource_give(&resources[held[--count]]);
    }
    record(&kernel, ~(int)self);
}

static void drive(void *argument)
{
    (void)argument;
    for (unsigned i = 0; i < ROUNDS; i++) {
        const struct hrl_basic *tasks[3];

        for (unsigned j = 0; j < 3; j++) {
            tasks[j] = lut_task(rounds[i][j]);
        }
        (void)hrl_basic_activate_all(tasks, 3);
    }
}

/* The model's: what may run now above a level, does, the most urgent and of the first rank first. */

static unsigned unfinished[MOST_TASKS];
static bool running[MOST_TASKS];

static bool model_activate(unsigned task)
{
    bool fits = unfinished[task] < limit_of[task];

    unfinished[task] += fits;
    model.overruns[task] += !fits;
    return fits;
}

static void model_job(unsigned self);

static void model_dispatch(uint32_t above)
{
    for (;;) {
        unsigned found = task_count;

        for (unsigned i = 0; i < task_count; i++) { /* by level, then rank */
            if (found == task_count && unfinished[i] != 0 && !running[i] && level_of[i] > above) {
                found = i;
            }
        }
        if (found == task_count) {
            return;
        }
        model_job(found);
    }
}

/* The level and the highest ceiling are what others have to be above. */
static void model_job(unsigned self)
{
    uint32_t held[STEPS];
    unsigned count = 0;

    running[self] = true;
    record(&model, (int)self);
    for (unsigned i = 0; i < STEPS; i++) {
        const struct step *step = &script[self][i];
        uint32_t ceiling = next_ceiling(level_of[self], held, count);

        if (step->kind == ACTIVATE && may_activate(&model)) {
            (void)model_activate(step->other);
        } else if (step->kind == CHAIN && count == 0 && may_activate(&model)) {
            record(&model, ~(int)self);
            if (step->other == self || unfinished[step->other] < limit_of[step->other]) {
                running[self] = false;
                unfinished[self]--;
                (void)model_activate(step->other);
                return;
            }
            model.overruns[step->other]++;
            record(&model, (int)self);
        } else if (step->kind == TERMINATE && count == 0) {
            break;
        } else if (step->kind == TAKE && ceiling <= LUT_LEVELS) {
            held[count++] = ceiling;
        } else if (step->kind == GIVE && count != 0) {
            count--;
        }
        model_dispatch(count == 0 ? level_of[self] : held[count - 1]);
    }
    while (count != 0) {
        count--;
        model_dispatch(count == 0 ? level_of[self] : held[count - 1]);
    }
    record(&model, ~(int)self);
    running[self] = false;
    unfinished[self]--;
}

static void model_drive(void)
{
    memset(unfinished, 0, sizeof unfinished);
    memset(running, 0, sizeof running);
    for (unsigned i = 0; i < ROUNDS; i++) {
        for (unsigned j = 0; j < 3; j++) {
            (void)model_activate(rounds[i][j]);
        }
        model_dispatch(0);
    }
}

/* Where no task may end early, a line has another handler. */
static enum kind kind(struct random *random)
{
    enum kind found = (enum kind)random_below(random, KINDS);

    return may_end || (found != CHAIN && found != TERMINATE) ? found : ACTIVATE;
}

/* A system: tasks by falling level, some alone on their level and, on a controller, on its line. */
static void build(struct random *random)
{
    uint32_t level = LUT_LEVELS;

    lut_reset();
    memset(&kernel, 0, sizeof kernel);
    memset(&model, 0, sizeof model);
    kernel.budget = model.budget = BUDGET;
    for (uint32_t i = 0; i <= LUT_LEVELS; i++) {
        resources[i] = (struct hrl_resource){.ceiling = i};
    }
    may_end = random_below(random, 2) != 0;
    task_count = 2 + random_below(random, MOST_TASKS - 2);
    for (unsigned i = 0; i < task_count; i++) {
        uint32_t fall = i != 0 && level > 2 ? random_below(random, 3) : 0;

        level -= fall;
        level_of[i] = level;
        limit_of[i] = random_below(random, 3) == 0 ? 1 + random_below(random, 3) : 1;
        for (unsigned j = 0; j < STEPS; j++) {
            script[i][j] = (struct step){kind(random), random_below(random, task_count)};
        }
        lut_add((struct lut_task){
            .level = level, .limit = limit_of[i], .may_end = may_end, .body = job});
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        rounds[i][0] = random_below(random, task_count);
        rounds[i][1] = random_below(random, task_count);
        rounds[i][2] = random_below(random, task_count);
    }
    lut_build();
}

static void test_jobs_begin_and_end_as_in_the_model(void **state)
{
    uint64_t jobs = 0;

    (void)state;
    for (unsigned seed = 1; seed <= SYSTEMS; seed++) {
        struct random random = {seed};

        build(&random);
        sut_start("driver", 1, drive, NULL);
        assert_string_equal(sut_run(1000), "done");
        model_drive();
        if (kernel.count != model.count ||
            memcmp(kernel.events, model.events, model.count * sizeof model.events[0]) != 0) {
            fail_msg("seed %u: another order than the model's", seed);
        }
        for (unsigned i = 0; i < task_count; i++) {
            assert_int_equal(hrl_basic_overruns(lut_task(i)), model.overruns[i]);
        }
        jobs += model.count / 2;
    }
    assert_true(jobs > 10u * SYSTEMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jobs_begin_and_end_as_in_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
