/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "release_plan.h"

/* ---- variants --------------------------------------------------------------------------------- */

static enum sut_store store_asked; /* of the variant being drawn */

static void periodic(struct random *random, struct sut_releaser *releaser, unsigned i,
                     unsigned count)
{
    (void)random;
    (void)i;
    (void)count;
    releaser->store = store_asked;
}

static void one_shot(struct random *random, struct sut_releaser *releaser, unsigned i,
                     unsigned count)
{
    periodic(random, releaser, i, count);
    releaser->one_shot = true;
}

static void either(struct random *random, struct sut_releaser *releaser, unsigned i, unsigned count)
{
    periodic(random, releaser, i, count);
    releaser->one_shot = random_below(random, 2) == 0;
}

/* Any store that goes with the mode. */
static enum sut_store any_store(struct random *random, bool is_one_shot)
{
    static const enum sut_store stores[] = {
        SUT_SORTED_LIST,
#if HRL_RELEASE_MASKS /* as these exist there */
        SUT_PERIOD_GROUPS,
        SUT_MASK_TABLE,
#endif
        SUT_UNSORTED_LIST,
        SUT_HARMONIC_ARRAY
    };
    unsigned count = sizeof stores / sizeof stores[0];

    return stores[random_below(random, is_one_shot ? count - 2 : count)];
}

/* The last one cooperates; its partners have whatever store. */
static void cooperative(struct random *random, struct sut_releaser *releaser, unsigned i,
                        unsigned count)
{
    releaser->one_shot = releaser->cooperates = i == count - 1;
    releaser->store = releaser->cooperates           ? store_asked
                      : random_below(random, 2) == 0 ? SUT_SORTED_LIST
                                                     : any_store(random, false);
}

static void anything(struct random *random, struct sut_releaser *releaser, unsigned i,
                     unsigned count)
{
    releaser->one_shot = random_below(random, 2) == 0;
    releaser->cooperates = releaser->one_shot && i == count - 1 && random_below(random, 2) == 0;
    releaser->store = any_store(random, releaser->one_shot);
}

const struct release_variant release_variants[] = {
    {"periodic, sorted list", periodic, SUT_SORTED_LIST},
    {"periodic, unsorted list", periodic, SUT_UNSORTED_LIST},
    {"periodic, harmonic array", periodic, SUT_HARMONIC_ARRAY},
    {"one-shot, sorted list", one_shot, SUT_SORTED_LIST},
    {"mixed, sorted list", either, SUT_SORTED_LIST},
    {"cooperative, sorted list", cooperative, SUT_SORTED_LIST},
    {"anything", anything, SUT_SORTED_LIST},
#if HRL_RELEASE_MASKS /* as these exist there */
    {"periodic, period groups", periodic, SUT_PERIOD_GROUPS},
    {"periodic, mask table", periodic, SUT_MASK_TABLE},
    {"one-shot, period groups", one_shot, SUT_PERIOD_GROUPS},
    {"one-shot, mask table", one_shot, SUT_MASK_TABLE},
    {"cooperative, period groups", cooperative, SUT_PERIOD_GROUPS},
    {"cooperative, mask table", cooperative, SUT_MASK_TABLE},
#endif
};
const size_t release_variant_count = sizeof release_variants / sizeof release_variants[0];

/* ---- systems ---------------------------------------------------------------------------------- */

hrl_counts release_plan_nominal(const struct release_plan *plan, unsigned task, uint64_t k)
{
    return plan->task[task].offset +
           (hrl_counts)((unsigned __int128)plan->numerator[task] * k / plan->denominator[task]);
}

/* A multiple of `base` that the planner takes, too: a stamp has to tell that it is still to come. */
static hrl_stamp draw_offset(struct random *random, uint32_t base)
{
    const uint32_t most = 7u << 28;
    uint32_t multiple = random_below(random, random_below(random, 4) == 0 ? 30 : 5);

    return base * (multiple < most / base ? multiple : most / base - 1u);
}

/* A period and an offset: new, or those of an earlier task of the same releaser. */
static void draw_stream(struct random *random, struct release_plan *plan, unsigned i)
{
    unsigned releaser = plan->task[i].releaser;
    uint32_t base = plan->base[releaser];
    unsigned other = random_below(random, i + 1);

    if (other != i && plan->task[other].releaser == releaser) {
        plan->denominator[i] = plan->denominator[other];
        plan->numerator[i] = plan->numerator[other];
        plan->task[i].offset = plan->task[other].offset;
        return;
    }
    plan->denominator[i] = 1;
    if (plan->releaser[releaser].one_shot && random_below(random, 2) == 0) {
        plan->denominator[i] = random_between(random, 2, 1000);
    }
    plan->numerator[i] = (uint64_t)base * random_between(random, 1, 20) * plan->denominator[i];
    if (plan->shift != 0 && !release_plan_is_static(plan, releaser) &&
        random_below(random, 6) == 0) { /* a period with hops */
        uint32_t hop = (HRLI_PERIOD_HOP_COUNTS / base + random_below(random, 2)) * base;
        plan->numerator[i] += (uint64_t)hop * random_between(random, 1, 2) * plan->denominator[i];
    }
    if (plan->denominator[i] != 1) {
        plan->numerator[i] += random_below(random, plan->denominator[i]);
    }
    plan->task[i].offset = draw_offset(random, base);
    if (plan->releaser[releaser].one_shot && random_below(random, 3) == 0) {
        plan->task[i].offset += random_below(random, 4); /* what is served early with another */
    }
}

static void draw_task(struct random *random, struct release_plan *plan, unsigned i,
                      unsigned percent)
{
    struct sut_task *task = &plan->task[i];
    hrl_counts period;

    task->releaser = i < plan->releasers ? i : random_below(random, plan->releasers);
    draw_stream(random, plan, i);
    period = plan->numerator[i] / plan->denominator[i];
    task->period = sut_period(plan->numerator[i], plan->denominator[i]);
    /*
     * One level belongs to one releaser, as the model does not know in which order cells fall. Bits
     * have an order of their own.
     */
    task->level = release_plan_uses_masks(plan, i)
                      ? 1 + random_below(random, 28)
                      : 1 + task->releaser + 4 * random_below(random, 7);
    task->queue_overruns = random_below(random, 2) == 0;
    task->cost = 1 + period * percent / 100 / plan->tasks * random_between(random, 5, 15) / 10;
}

static void draw_releaser(struct random *random, const struct release_variant *variant,
                          struct release_plan *plan, unsigned i, bool spans)
{
    struct sut_releaser *releaser = &plan->releaser[i];

    variant->draw(random, releaser, i, plan->releasers);
    plan->base[i] = (50 * random_between(random, 5, 40) + random_below(random, 2)) << plan->shift;
    if (i != 0 && random_below(random, 2) == 0) { /* instants in common */
        plan->base[i] = plan->base[0] * random_between(random, 1, 3);
    }
    releaser->cell_period = plan->base[i];
    if (!releaser->one_shot && random_below(random, 4) == 0) {
        releaser->divider = random_between(random, 2, 4);
        plan->base[i] *= releaser->divider;
    }
    if (releaser->one_shot && spans && random_below(random, 3) == 0) {
        releaser->span = random_between(random, 1000, 9000);
    }
}

static void build(struct random *random, const struct release_variant *variant,
                  struct release_plan *plan, unsigned percent, bool spans)
{
    store_asked = variant->store;
    if (plan->tasks < plan->releasers) { /* a static store has a task */
        plan->releasers = plan->tasks;
    }
    for (unsigned i = 0; i < plan->releasers; i++) {
        draw_releaser(random, variant, plan, i, spans);
        sut_add_releaser(plan->releaser[i]);
    }
    for (unsigned i = 0; i < plan->tasks; i++) {
        draw_task(random, plan, i, percent);
        sut_add_task(plan->task[i]);
    }
    hrlp_host_setup.clock_start =
        random_below(random, 2) == 0 ? 0 : ((hrl_counts)1 << 32) - random_below(random, 300000);
}

static void draw_size(struct random *random, struct release_plan *plan)
{
    sut_reset();
    *plan = (struct release_plan){.releasers = random_between(random, 1, 4),
                                  .tasks = random_between(random, 1, 16),
                                  .duration = random_between(random, 100000, 400000)};
}

void release_plan_build(struct random *random, const struct release_variant *variant,
                        struct release_plan *plan, unsigned percent, bool spans)
{
    draw_size(random, plan);
    build(random, variant, plan, percent, spans);
}

void release_plan_build_long(struct random *random, const struct release_variant *variant,
                             struct release_plan *plan, unsigned percent)
{
    draw_size(random, plan);
    plan->releasers = plan->releasers < 3 ? plan->releasers : 3; /* the fourth cell is narrow */
    plan->shift = RELEASE_PLAN_LONG;
    plan->duration <<= RELEASE_PLAN_LONG + 3; /* up to 1.5 * 2^32 */
    build(random, variant, plan, percent, false);
}
