/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_ENDING_H
#define HRLI_ENDING_H

#include <hrl/basic.h>

/*
 * Jobs that may end from nested calls. Only lines with such tasks link this.
 *
 * Basic tasks end in the reverse order of their beginnings, so that the place where the innermost
 * such job began is the one to go back to.
 */

/*
 * Runs a job of `task`, which may end early; returns the task that it chains to, or NULL. If it
 * chains, interrupts are masked from its call on. Context: the task's line.
 */
const struct hrl_basic *hrli_ending_run(const struct hrl_basic *task);

#endif
