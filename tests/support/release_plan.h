/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_RELEASE_PLAN_H
#define SUPPORT_RELEASE_PLAN_H

#include "random.h"
#include "system_under_test.h"

/*
 * Random systems of periodic tasks for system_under_test.h, as a plain model of them
 * (release_model.h) sees them.
 */
struct release_plan {
    unsigned releasers, tasks;
    struct sut_releaser releaser[SUT_RELEASERS];
    uint32_t base[SUT_RELEASERS]; /* counts between instants of a periodic one; periods and offsets
                                     are multiples */
    struct sut_task task[SUT_TASKS];
    uint64_t numerator[SUT_TASKS]; /* period = numerator / denominator */
    uint32_t denominator[SUT_TASKS];
    hrl_counts duration;
    unsigned shift; /* instants are multiples of 2^shift; 0, or LONG: so far apart that tasks may be
                       late by more than a stamp tells */
};
enum { RELEASE_PLAN_LONG = 11 };

/* What releasers a system has: sets mode and store of number `i` of `count`. */
typedef void release_plan_draw(struct random *random, struct sut_releaser *releaser, unsigned i,
                               unsigned count);

struct release_variant {
    const char *name;
    release_plan_draw *draw;
    enum sut_store store; /* what `draw` gives; see there */
};

extern const struct release_variant release_variants[];
extern const size_t release_variant_count;

/*
 * Draws a system whose jobs ask for about `percent` of the processor, and adds it to an empty
 * system under test. `spans`: some one-shot cells are narrow.
 */
void release_plan_build(struct random *random, const struct release_variant *variant,
                        struct release_plan *plan, unsigned percent, bool spans);

/* The same, of cells that are as wide as the clock, where all lasts longer (release_plan.shift). */
void release_plan_build_long(struct random *random, const struct release_variant *variant,
                             struct release_plan *plan, unsigned percent);

/* Release k of a task, from t = 0. */
hrl_counts release_plan_nominal(const struct release_plan *plan, unsigned task, uint64_t k);

static inline bool release_plan_is_static(const struct release_plan *plan, unsigned releaser)
{
    return plan->releaser[releaser].store != SUT_SORTED_LIST &&
           plan->releaser[releaser].store != SUT_UNSORTED_LIST;
}

/* Whether all stores can count all periods: static ones cannot count those with hops. */
static inline bool release_plan_can_be_built(const struct release_plan *plan)
{
    for (unsigned i = 0; i < plan->tasks; i++) {
        if (plan->task[i].period.hops != 0 &&
            release_plan_is_static(plan, plan->task[i].releaser)) {
            return false;
        }
    }
    return true;
}

static inline bool release_plan_uses_masks(const struct release_plan *plan, unsigned task)
{
    enum sut_store store = plan->releaser[plan->task[task].releaser].store;

    return store == SUT_PERIOD_GROUPS || store == SUT_MASK_TABLE;
}

#endif
