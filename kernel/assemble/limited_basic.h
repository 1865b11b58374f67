/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LIMITED_BASIC_H
#define HRLI_LIMITED_BASIC_H

#include "limited.h"

/*
 * Basic tasks that are released `releases` times (limited.h). At file scope, without a semicolon.
 */

/* limited_<task>, the body of such a task; `of` is its struct hrli_limited, or NULL. */
#define HRLI_LIMITED_TASK(task, releases, of)                                                      \
    static void limited_##task(void)                                                               \
    {                                                                                              \
        static uint32_t left = (releases);                                                         \
                                                                                                   \
        hrli_limited_run(&left, of, hrl_gen_body_##task);                                          \
    }

/* The words of line `l`, with what tells that tasks have ended. */
#define HRLI_LINE_ENDS(l) static struct hrli_line_ends words_##l;

/*
 * limit_<task>, of a task of line `l` and releaser `i`: its bit, those of all tasks that are released
 * with it, and the line's bit among lines.
 */
#define HRLI_LIMIT(task, l, i, bit, together, line_bit)                                            \
    static const struct hrli_limited limit_##task = {&words_##l, bit,        together,             \
                                                     line_bit,   &alive_##i, stop_##i};

/* The lines that releaser `i` still raises. */
#define HRLI_LIMITED_ALIVE(i, lines) static volatile uint32_t alive_##i = (lines);

/* stop_<i> stops the cell of releaser `i`. */
#define HRLI_LIMITED_STOP(i, device, instance)                                                     \
    static void stop_##i(void)                                                                     \
    {                                                                                              \
        device##_disarm(instance);                                                                 \
    }

/* What serves the rows of a periodic releaser; arguments as for hrli_limited_table_serve. */
#define HRLI_LIMITED_ROWS(i, alone, shared, ahead)                                                 \
    static struct hrli_line_table table_##i;                                                       \
    static __attribute__((noinline)) void serve_##i(void)                                          \
    {                                                                                              \
        hrli_limited_table_serve(&table_##i, alone, shared, &alive_##i, ahead);                    \
    }

/* In the handler of its cell, acknowledged. */
#define HRLI_SERVE_LIMITED_LINES(i, ahead)                                                         \
    hrli_limited_table_interrupt(&table_##i, serve_##i, ahead);

#endif
