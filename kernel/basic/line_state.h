/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LINE_STATE_H
#define HRLI_LINE_STATE_H

#include "check.h"
#include "descriptors.h"
#include "hrlp_line.h"
#include "line_words.h"
#include <hrl/basic.h>
#include <stddef.h>

/*
 * How many jobs of a basic task are unfinished, and how many of these wait for the task's present job to
 * end. The words of a line say which tasks are ready (line_words.h); a task's counts say how many more jobs
 * of it wait.
 */

/* The elements of hrl_basic.counts[]; the second exists if the limit is above 1. */
enum { HRLI_BASIC_OVERRUNS, HRLI_BASIC_WAITING };

/*
 * Whether `task` has as many unfinished jobs as it may; always true of a task that is its cell's
 * interrupt. Context: interrupts masked.
 */
static inline bool hrli_line_is_full(const struct hrl_basic *task)
{
    HRLP_CONST struct hrl_line *line = hrli_line_of(task);

    HRLI_CHECK(hrli_line_is_here(line), "a basic task of another core cannot be activated");
    if (line->words == NULL) {
        HRLI_CHECK(!line->is_cell, "a basic task that is its cell's interrupt cannot be activated");
        return line->is_cell || (hrlp_line_open() >> line->number & 1u) != 0;
    }
    return (hrli_line_ready(line->words) & hrli_line_bit(HRLP_CONST_AT(task)->rank)) != 0 &&
           (HRLP_CONST_AT(task)->limit == 1u ||
            HRLP_CONST_AT(task)->counts[HRLI_BASIC_WAITING] + 1u >= HRLP_CONST_AT(task)->limit);
}

/*
 * One more job of `task`, which has a limit above 1 and is ready, waits. Context: as for a write to
 * hrli_line_words.released.
 */
static inline void hrli_line_wait(const struct hrl_basic *task)
{
    HRLP_CONST_AT(task)->counts[HRLI_BASIC_WAITING]++;
    if (hrli_line_task(hrli_line_of(task), 0) == NULL) {
        hrli_line_request_catch_up(hrli_line_of(task)->words);
    }
}

#endif
