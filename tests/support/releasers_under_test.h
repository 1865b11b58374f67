/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_RELEASERS_UNDER_TEST_H
#define SUPPORT_RELEASERS_UNDER_TEST_H

#include "static_stores_under_test.h"
#include "wait.h"

/*
 * The releasers of a system under test: every mode over every store, chosen at run time. What
 * generated code does at compile time is done here by a switch. system_under_test.c alone uses
 * this.
 */

/* No releasers. */
void sut_releasers_reset(void);

unsigned sut_releasers_count(void);

/*
 * Makes the releasers that have been added, t = 0 at `zero`, and what their stores know of the
 * `count` tasks. `horizon`: counts from t = 0 on that the run may last.
 */
void sut_releasers_build(hrl_stamp zero, hrl_counts horizon, const struct sut_task *tasks,
                         struct hrli_periodic_thread *threads, unsigned count);

/* hrl_gen_prepare: empties the delay queues and lets the cells' interrupts through. */
void sut_releasers_prepare(void);

/* As hrli_system wants them. */
struct hrli_releaser *const *sut_releasers_all(void);
const struct hrli_timeouts *sut_releasers_timeouts(void);

/* From the start on. */
extern bool sut_inserts_take_time;

/* cells_under_test.c: a cell for each releaser, and its handler. */
extern const struct hrlp_cell *const sut_cells[SUT_RELEASERS];
extern void (*const sut_stretches[SUT_RELEASERS])(hrl_stamp due, uint32_t period, bool longer);

/* How the handlers of these cells arm them. */
extern void (*const sut_rearms[SUT_RELEASERS])(hrl_stamp due);
void sut_cells_reset(void);

#endif
