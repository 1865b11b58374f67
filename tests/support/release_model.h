/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_RELEASE_MODEL_H
#define SUPPORT_RELEASE_MODEL_H

#include "release_plan.h"

/*
 * A plain model of fixed-priority scheduling, exact to the count where time stands still in the
 * kernel.
 *
 * Within a level threads released by masks come before those in the ring, the task of the lowest
 * number first; those in the ring run first come, first out. No thread is preempted by an equal: this
 * order counts when the dispatcher has to choose, as the running one has ended or was preempted.
 *
 * A one-shot cell interrupts when a waiting task is due; with a static store at every instant of
 * its tasks, even if none waits. It then serves what is due HRLP_CELL_EARLY_COUNTS later, too. One
 * that cooperates does the same, but where a periodic cell interrupts has no interrupt of its own.
 *
 * A task with a period longer than a hop (period.h) wakes at hops, too, and waits on; what the trace tells of a
 * hop is what it tells of a release.
 */
struct model_event {
    hrl_counts at;
    char kind;
    unsigned task;
    hrl_counts nominal;
};

struct release_model {
    struct model_event *events;
    size_t count;
    uint32_t overruns[SUT_TASKS];
    uint64_t interrupts[SUT_RELEASERS];
};

extern struct release_model release_model;

/*
 * Runs a plan, from t = 0 for its duration. Has been built: the order of the entries of a harmonic
 * array, which is that of releases, is the support's.
 */
void release_model_run(const struct release_plan *plan);

#endif
