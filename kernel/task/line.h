/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LINE_H
#define HRLI_LINE_H

#include "hrlp_cpu.h"
#include "hrlp_line.h"
#include "line_words.h"
#include "resource_check.h"

/*
 * The handlers of lines: what the interrupt controller dispatches. A line that has no words, and so
 * one task, has hrli_line_serve_alone; one whose tasks all have a limit of 1 and may not end early,
 * hrli_line_serve; any other hrli_line_run, with a constant description.
 */

/* What hrl_basic.counts[] are; the second is there if the limit is above 1. */
enum { HRLI_BASIC_OVERRUNS, HRLI_BASIC_WAITING };

/* The handler of a line without words. `body` is the task's. */
static inline __attribute__((always_inline)) void hrli_line_serve_alone(void (*body)(void))
{
    hrli_resource_checked(body);
}

/*
 * Runs the ready tasks of a line, the first rank first, until there is none. `bodies` by rank.
 * Context: the line's handler.
 *
 * Who releases meanwhile raises the line, too: then the handler begins anew, and finds nobody.
 */
static inline __attribute__((always_inline)) void hrli_line_serve(struct hrli_line_words *words,
                                                                  void (*const *bodies)(void))
{
    uint32_t done = words->done;
    uint32_t ready = words->released ^ done;

    while (ready != 0) {
        uint32_t rank = 31u - hrlp_cpu_highest_bit(ready);

        words->current = rank;
        hrli_resource_checked(bodies[rank]);
        done ^= hrli_line_bit(rank);
        words->done = done;
        ready = words->released ^ done;
    }
}

/* The same for any tasks. Context: the line's handler, or its server. */
void hrli_line_run(const struct hrl_line *line);

/* One job of `line`, which has words; false: nobody is ready. Context: as above. */
bool hrli_line_run_one(const struct hrl_line *line);

/* Whether `task` has as many unfinished jobs as it may. Context: interrupts masked. */
static inline bool hrli_line_is_full(const struct hrl_basic *task)
{
    const struct hrl_line *line = task->line;

    if (line->words == NULL) {
        return (hrlp_line_open() >> line->number & 1u) != 0;
    }
    return (hrli_line_ready(line->words) & hrli_line_bit(task->rank)) != 0 &&
           (task->limit == 1u || task->counts[HRLI_BASIC_WAITING] + 1u >= task->limit);
}

/*
 * Activates `task`, which is not full; returns what is to be raised for it, as a set, which may be
 * empty. Context: interrupts masked.
 */
uint32_t hrli_line_activate(const struct hrl_basic *task);

#endif
