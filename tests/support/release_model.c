/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "release_model.h"
#include "with_cmocka.h"
#include <string.h>

enum status { WAITING, READY };

static struct {
    enum status status;
    uint64_t next;     /* number of the release that it waits for, or had last */
    uint64_t unserved; /* of a static store: number of the first that has not been served */
    uint64_t since;    /* order in which it began to wait, or became ready */
    hrl_counts left;   /* of the present job */
    bool started;
    bool is_late;   /* it has ended, and found that it is late; the overrun is not counted yet */
    uint32_t hops;  /* of a long period: as many as are still to come before that release */
    bool waited;    /* for one of them at least */
    bool is_at_hop; /* it has ended, and came by a hop; it is to wait for what follows */
} model[SUT_TASKS];

static const struct release_plan *plan;
static hrl_counts served[SUT_RELEASERS]; /* 1 + the latest instant of a release */
static hrl_counts walked[SUT_RELEASERS]; /* 1 + when a thread walked its delay queue last */
static uint64_t order;
static int running; /* -1: none */

struct release_model release_model;

static hrl_counts nominal(unsigned task, uint64_t k)
{
    return release_plan_nominal(plan, task, k);
}

static void expect(hrl_counts at, char kind, unsigned task, hrl_counts instant)
{
    assert_true(release_model.count < SUT_EVENTS);
    release_model.events[release_model.count++] = (struct model_event){at, kind, task, instant};
}

/* A one-shot releaser that serves every instant of its tasks. */
static bool serves_all(unsigned releaser)
{
    return plan->releaser[releaser].one_shot && release_plan_is_static(plan, releaser);
}

/* What a task asks its releaser for: its next release, or a hop towards it. */
static hrl_counts wanted(unsigned task)
{
    const struct hrli_period *period = &plan->task[task].period;

    return model[task].hops == 0
               ? nominal(task, model[task].next)
               : nominal(task, model[task].next - 1) +
                     (hrl_counts)(period->hops - model[task].hops + 1) * HRLI_PERIOD_HOP_COUNTS;
}

/* When it is served: a periodic cell serves a hop at its first instant that is not before that. */
static hrl_counts served_at(unsigned task)
{
    unsigned releaser = plan->task[task].releaser;
    hrl_counts every = plan->releaser[releaser].one_shot ? 1 : plan->base[releaser];

    return (wanted(task) + every - 1) / every * every;
}

/* The first instant at which something is to be done for a task; UINT64_MAX: there is none. */
static hrl_counts next_instant(unsigned task)
{
    if (serves_all(plan->task[task].releaser)) {
        return nominal(task, model[task].unserved);
    }
    return model[task].status == WAITING ? served_at(task) : UINT64_MAX;
}

static hrl_counts next_of_releaser(unsigned releaser)
{
    hrl_counts next = UINT64_MAX;

    for (unsigned i = 0; i < plan->tasks; i++) {
        if (plan->task[i].releaser == releaser && next_instant(i) < next) {
            next = next_instant(i);
        }
    }
    return next;
}

static hrl_counts next_of_all(void)
{
    hrl_counts next = UINT64_MAX;

    for (unsigned i = 0; i < plan->releasers; i++) {
        if (next_of_releaser(i) < next) {
            next = next_of_releaser(i);
        }
    }
    return next;
}

/* Whether task `i` is released before task `best` of the same releaser, both at one instant. */
static bool is_released_before(unsigned i, unsigned best)
{
    if (plan->releaser[plan->task[i].releaser].store == SUT_HARMONIC_ARRAY) {
        return sut_periodic(i)->waiter.node.spare[0] < sut_periodic(best)->waiter.node.spare[0];
    }
    if (plan->releaser[plan->task[i].releaser].store == SUT_SORTED_LIST &&
        wanted(i) != wanted(best)) {
        return wanted(i) < wanted(best);
    }
    return model[i].since < model[best].since; /* for masks the order does not matter */
}

/* The trace tells of a hop as of a release. */
static void release_one(unsigned task, hrl_counts instant, hrl_counts now)
{
    expect(now, 'R', task, instant);
    model[task].status = READY;
    model[task].since = order++;
    model[task].left = plan->task[task].cost;
    model[task].started = false;
    model[task].is_at_hop = model[task].hops != 0;
    model[task].hops -= model[task].is_at_hop;
}

static void serve(unsigned releaser, hrl_counts instant, hrl_counts now)
{
    for (;;) {
        int best = -1;
        for (unsigned i = 0; i < plan->tasks; i++) {
            if (plan->task[i].releaser == releaser && model[i].status == WAITING &&
                served_at(i) == instant && (best < 0 || is_released_before(i, (unsigned)best))) {
                best = (int)i;
            }
        }
        if (best < 0) {
            break;
        }
        release_one((unsigned)best, instant, now);
    }
    for (unsigned i = 0; i < plan->tasks; i++) {
        model[i].unserved += plan->task[i].releaser == releaser && serves_all(releaser) &&
                             nominal(i, model[i].unserved) == instant;
    }
    served[releaser] = instant + 1;
}

static bool is_instant_of_a_periodic_cell(hrl_counts now)
{
    for (unsigned i = 0; i < plan->releasers; i++) {
        if (!plan->releaser[i].one_shot && now % plan->releaser[i].cell_period == 0) {
            return true;
        }
    }
    return false;
}

/*
 * A partner that comes while a thread is in the store leaves the visit to the thread, which serves
 * what is near even if nothing is due just now.
 */
static bool is_visited_in_a_walk(unsigned releaser, hrl_counts now)
{
    return plan->releaser[releaser].cooperates && walked[releaser] == now + 1 &&
           is_instant_of_a_periodic_cell(now);
}

static void release_due(hrl_counts now)
{
    for (unsigned i = 0; i < plan->releasers; i++) {
        if (!plan->releaser[i].one_shot && now % plan->releaser[i].cell_period == 0) {
            served[i] = now + 1;
        }
        if (next_of_releaser(i) > now && !is_visited_in_a_walk(i, now)) {
            continue;
        }
        if (plan->releaser[i].one_shot &&
            !(plan->releaser[i].cooperates && is_instant_of_a_periodic_cell(now))) {
            release_model.interrupts[i]++;
        }
        while (next_of_releaser(i) <= now + HRLP_CELL_EARLY_COUNTS) {
            serve(i, next_of_releaser(i), now);
        }
    }
}

/* Whether task `i` is dispatched before task `best`, both of them ready. */
static bool is_before(unsigned i, unsigned best)
{
    bool bit = release_plan_uses_masks(plan, i), best_bit = release_plan_uses_masks(plan, best);

    if (plan->task[i].level != plan->task[best].level) {
        return plan->task[i].level > plan->task[best].level;
    }
    if (bit != best_bit) {
        return bit;
    }
    return bit ? i < best : model[i].since < model[best].since;
}

/* Chooses the task that runs from now on. */
static void dispatch(void)
{
    int best = -1;

    for (unsigned i = 0; i < plan->tasks; i++) {
        if (model[i].status == READY && (best < 0 || is_before(i, (unsigned)best))) {
            best = (int)i;
        }
    }
    if (best < 0 || running < 0 || plan->task[best].level > plan->task[running].level) {
        running = best;
    }
}

/* A store that takes waiters under the lock, without asking the clock. */
static bool takes_at_once(unsigned releaser)
{
    return plan->releaser[releaser].store != SUT_SORTED_LIST;
}

/*
 * Whether `instant`, which the task that ends its job now asks for, has passed. A periodic cell knows its own
 * instants only.
 */
static bool has_passed(unsigned task, hrl_counts instant, hrl_counts now)
{
    unsigned releaser = plan->task[task].releaser;
    uint32_t every = plan->releaser[releaser].one_shot ? 1 : plan->releaser[releaser].cell_period;

    return instant < served[releaser] || (now != 0 && instant <= (now - 1) / every * every);
}

static void look_for_next(unsigned task)
{
    model[task].next++;
    model[task].hops = plan->task[task].period.hops;
    model[task].waited = false;
}

static void wait(unsigned task, hrl_counts now)
{
    unsigned releaser = plan->task[task].releaser;

    model[task].status = WAITING;
    model[task].since = order++;
    model[task].waited = true;
    walked[releaser] = takes_at_once(releaser) ? 0 : now + 1;
    running = -1;
}

/*
 * Passes by the hops that have passed, and waits for what comes first; false: the release has passed, too, or a more
 * urgent task came meanwhile. To find out what has passed, stores that take at once lock and unlock: then what is due
 * now is served.
 */
static bool waits_for_next(unsigned task, hrl_counts now)
{
    while (has_passed(task, wanted(task), now)) {
        if (takes_at_once(plan->task[task].releaser)) {
            release_due(now);
            dispatch();
        }
        if (model[task].hops == 0) {
            return false;
        }
        model[task].hops--;
        model[task].is_at_hop = running != (int)task;
        if (model[task].is_at_hop) {
            return false;
        }
    }
    wait(task, now);
    return true;
}

/*
 * The job ends now, or has ended, and a more urgent task came when it had found that it was late, or it
 * came by a hop. A release before now, or served a little early, has passed and is an overrun, but for
 * a task that waited for a hop towards it.
 */
static void end(unsigned task, hrl_counts now)
{
    bool is_late = model[task].is_late;

    if (!is_late && !model[task].is_at_hop) {
        expect(now, 'E', task, 0);
        look_for_next(task);
    }
    model[task].is_at_hop = false;
    while (is_late || !waits_for_next(task, now)) {
        if (!is_late && (model[task].is_at_hop || model[task].waited)) {
            return; /* to come back; or the job begins */
        }
        model[task].is_late = running != (int)task;
        if (model[task].is_late) {
            return;
        }
        is_late = false;
        release_model.overruns[task]++;
        if (plan->task[task].queue_overruns) {
            model[task].left = plan->task[task].cost;
            expect(now, 'S', task, 0); /* what is due now, and has not been served, follows */
            return;
        }
        look_for_next(task);
    }
}

static void begin(const struct release_plan *the_plan)
{
    static struct model_event events[SUT_EVENTS];

    plan = the_plan;
    order = 0;
    running = -1;
    release_model = (struct release_model){.events = events};
    memset(served, 0, sizeof served);
    memset(walked, 0, sizeof walked);
    memset(model, 0, sizeof model);
    for (unsigned i = 0; i < plan->tasks; i++) {
        model[i].since = order++;
    }
    for (unsigned i = 0; i < plan->releasers; i++) {
        uint32_t every = plan->releaser[i].cell_period;
        release_model.interrupts[i] =
            plan->releaser[i].one_shot ? 0 : (plan->duration + every - 1) / every;
    }
}

void release_model_run(const struct release_plan *the_plan)
{
    hrl_counts now = 0;

    begin(the_plan);
    while (now < plan->duration) {
        hrl_counts next;

        release_due(now);
        dispatch();
        next = next_of_all();
        if (running < 0) {
            now = next;
            continue;
        }
        if (model[running].is_late || model[running].is_at_hop) {
            end((unsigned)running, now);
            continue;
        }
        if (!model[running].started) {
            model[running].started = true;
            expect(now, 'S', (unsigned)running, 0);
        }
        if (next < now + model[running].left) {
            model[running].left -= next - now;
            now = next;
        } else {
            now += model[running].left;
            if (now < plan->duration) {
                end((unsigned)running, now);
            }
        }
    }
}
