/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LIMITED_H
#define HRLI_LIMITED_H

#include <hrl/basic.h>

/*
 * Basic tasks that end: after so many jobs their releasers pass them over, and lines of whom all
 * have ended are raised no more. Only systems that ask for it link this, or have its words.
 */

/* The lines that releasers raise, as a set; all to begin with. The generated code has it. */
extern volatile uint32_t hrl_gen_alive;

/*
 * `task` is released no more. Its line has no words, or hrli_line_ends. Context: the task, as it
 * begins its last job.
 */
void hrli_limited_end(const struct hrl_basic *task);

/*
 * The body of `task` in the place of `body`: of its jobs `left` are still to come. If `ends` it is
 * released by a table that looks at what hrli_limited_end writes; in any case what is released
 * beyond the last job does nothing.
 */
static inline __attribute__((always_inline)) void
hrli_limited_run(uint32_t *left, const struct hrl_basic *task, bool ends, void (*body)(void))
{
    uint32_t after = *left - 1u;

    if (__builtin_expect((int32_t)after <= 0, 0)) {
        if ((int32_t)after < 0) {
            return;
        }
        if (ends) {
            hrli_limited_end(task);
        }
    }
    *left = after;
    body();
}

#endif
