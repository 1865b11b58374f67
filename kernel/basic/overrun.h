/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_OVERRUN_H
#define HRLI_OVERRUN_H

#include "direct_task.h"
#include <hrl/basic.h>

/*
 * Releases of basic tasks that have not ended. Each is counted, and the hook is called. None of this runs
 * while every job ends before the next release of its task.
 */

/* Counts an overrun of `task` and calls the hook. Context: any, interrupts as they are. */
void hrli_basic_overrun(const struct hrl_basic *task);

/*
 * For tasks of a line with words: a releaser is to release `bits`, and those of `late` are still ready.
 * Returns which of `bits` the releaser is to release. Context: the releaser's handler.
 */
uint32_t hrli_line_overrun(struct hrli_line_words *words, uint32_t bits, uint32_t late);

/*
 * For lines of one task that have no words: a releaser is to raise the lines `raise`, and the tasks of the
 * lines `late` have not ended. Returns which lines the releaser is to raise. Context: the releaser's handler.
 */
uint32_t hrli_line_overrun_alone(uint32_t raise, uint32_t late);

/*
 * For a task that is its cell's interrupt: the releases from `direct->due` on that passed while a job was
 * unfinished. Each is an overrun, and a job that starts late if the task's limit lets it wait. Context: the
 * cell's handler.
 */
void hrli_direct_overrun(const struct hrli_direct *direct);

#endif
