/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LINE_H
#define HRLI_LINE_H

#include "descriptors.h"
#include "hrlp_cpu.h"
#include "line_words.h"
#include "resource_check.h"

/*
 * The handlers of lines: what the interrupt controller dispatches. A line that has no words, and so
 * one task, has hrli_line_serve_alone; one with tasks that may not end early has hrli_line_serve,
 * with catch-up tasks if one of them has a limit above 1; any other has hrli_line_run, with a constant
 * description.
 *
 * Catch-up tasks are the kernel's own tasks of ranks 0 and 1, NULL in hrl_line.tasks. Their body is
 * hrli_line_catch_up for that line: it runs the tasks as hrli_line_run does, until none is ready. So
 * while all is well a limit costs nothing.
 */

/* The handler of a line without words. `body` is the task's. */
static inline __attribute__((always_inline)) void hrli_line_serve_alone(void (*body)(void))
{
    hrli_resource_checked(body);
}

/*
 * Runs the ready tasks of a line, the first rank first, until there is none. `bodies` by rank, in flash (HRLI_CONSTANT).
 * Context: the line's handler.
 *
 * A release during it raises the line, too: then the handler begins anew, and finds no task ready.
 */
static inline __attribute__((always_inline)) void hrli_line_serve(struct hrli_line_words *words,
                                                                  void (*const *bodies)(void))
{
    uint32_t done = words->done;
    uint32_t ready;

    while (hrlp_cpu_differ(words->released, done, &ready)) {
        uint32_t rank = 31u - hrlp_cpu_highest_bit(ready);

        words->current = rank;
        hrli_resource_checked(HRLP_CONST_AT(bodies)[rank]);
        done ^= hrli_line_bit(rank);
        words->done = done;
    }
}

/* hrlp_cpu_highest_bit, for the function below, which seldom needs it. */
static __attribute__((noinline, unused)) uint32_t hrli_line_first_bit(uint32_t ready)
{
    return hrlp_cpu_highest_bit(ready);
}

/*
 * The same where hrlp_cpu_highest_bit takes long (HRLP_LINE_TRIES_NEXT); `count` bodies, a constant. Most often the rank
 * behind the one that has just run comes next. A line of one task need not look again: each release raises the line,
 * and there is none before the job has ended.
 */
static inline __attribute__((always_inline)) void
hrli_line_serve_in_order(struct hrli_line_words *words, void (*const *bodies)(void), uint32_t count)
{
    uint32_t done = words->done;
    uint32_t bit = hrli_line_bit(0);
    uint32_t rank = 0;
    uint32_t ready;

    if (count == 1u) {
        if (words->released != done) {
            hrli_resource_checked(HRLP_CONST_AT(bodies)[0]);
            words->done = words->released;
        }
        return;
    }
    while (hrlp_cpu_differ(words->released, done, &ready)) {
        if (__builtin_expect((ready ^ bit) >= bit,
                             0)) { /* another is the first of the ready ones */
            rank = 31u - hrli_line_first_bit(ready);
            bit = hrli_line_bit(rank);
        }
        words->current = rank;
        hrli_resource_checked(HRLP_CONST_AT(bodies)[rank]);
        done ^= bit;
        words->done = done;
        bit >>= 1; /* 0 behind the last rank, which no task has */
        rank++;
    }
}

/* As hrli_line_serve, for any tasks, on lines without catch-up tasks. Context: its handler or server. */
void hrli_line_run(HRLP_CONST struct hrl_line *line);

/* The body of a catch-up task of `line`. Context: its handler. */
void hrli_line_catch_up(HRLP_CONST struct hrl_line *line);

/* Runs one job of `line`, which has words; false: no task is ready. Context: as hrli_line_run. */
bool hrli_line_run_one(HRLP_CONST struct hrl_line *line);

/*
 * Activates `task`, which is not full; returns what is to be raised for it, as a set, which may be
 * empty. Context: interrupts masked.
 */
uint32_t hrli_line_activate(const struct hrl_basic *task);

#endif
