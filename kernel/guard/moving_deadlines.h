/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_MOVING_DEADLINES_H
#define HRLI_MOVING_DEADLINES_H

#include "deadline.h"

/*
 * Deadline monitoring, by one cell (deadline.h), of tables that the dispatcher starts, stops, exchanges and shifts
 * (kernel/table/dispatcher.h). All deadlines of a mode lie within its rounds, so that between two rounds none is
 * open.
 *
 * Instants of a mode are counts after its `origin`. To shift all that is to come changes that word, and a mode
 * that begins again has an origin with which its next round begins then.
 */
struct hrli_moving_deadlines {
    struct hrli_deadline_watch watch;
    struct hrli_deadline_job
        *jobs; /* in the order of hrl_gen_deadline_tasks; `at` NULL: not in this mode */
    hrl_stamp origin;
    hrl_stamp begin; /* of its next round, after the origin; while it does not run */
};

/* What monitors; `running` NULL: nothing is monitored now. */
struct hrli_deadline_mover {
    struct hrli_moving_deadlines *volatile running;
    void (*arm)(hrl_stamp due); /* as of hrli_deadlines */
    void (*disarm)(void);
};

/* The first round of `mode` begins at `begin`; NULL: none of its deadlines is monitored. Context: interrupts masked. */
void hrli_moving_deadlines_begin(struct hrli_deadline_mover *mover,
                                 struct hrli_moving_deadlines *mode, hrl_stamp begin);

/* Whether a deadline up to `end` is yet to be told of: its interrupt comes. Context: interrupts masked. */
bool hrli_moving_deadlines_are_open(const struct hrli_deadline_mover *mover, hrl_stamp end);

/* The last round has ended at `end`, and none is open. Context: interrupts masked. */
void hrli_moving_deadlines_end(struct hrli_deadline_mover *mover, hrl_stamp end);

/* All deadlines to come move by `by` counts. Context: interrupts masked, none of this round is open. */
void hrli_moving_deadlines_shift(struct hrli_deadline_mover *mover, hrl_stamp by);

/* A job of task `number` of hrl_gen_deadline_tasks has ended. Context: as hrli_deadline_end. */
void hrli_moving_deadlines_job_end(struct hrli_deadline_mover *mover, uint32_t number);

/* As hrli_deadline_interrupt. */
void hrli_moving_deadlines_interrupt(struct hrli_deadline_mover *mover);

#endif
