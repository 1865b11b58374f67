/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_NO_TIMEOUTS_H
#define HRLI_NO_TIMEOUTS_H

#include "core.h"

#define HRLI_NO_TIMEOUTS_REASON "the system has no releaser for time-outs"

/*
 * The time-outs of a described system that has none: to put a node in stops in the assert hook, in
 * builds without checks as well, where a NULL would be a jump into nowhere.
 *
 * A generated system names it weakly, and gets NULL where no object that waits is linked.
 */
extern const struct hrli_timeouts hrli_no_timeouts;

/*
 * Stands in each file that uses time-outs: has the linker look for the object above. Nothing names
 * the constant itself, so that it stays out of an image (--gc-sections).
 */
#define HRLI_MAY_HAVE_NO_TIMEOUTS                                                                  \
    static const struct hrli_timeouts *const may_have_none __attribute__((used)) = &hrli_no_timeouts

#endif
