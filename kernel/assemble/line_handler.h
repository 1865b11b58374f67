/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LINE_HANDLER_H
#define HRLI_LINE_HANDLER_H

#include "handler.h"
#include "hrlp_line.h"
#include "line.h"

/*
 * Lines of basic tasks: what they consist of, what their handlers do (line.h), how they are entered,
 * the start-up. Line number `l` is hrl_gen_line_<l>; bodies_<l> are the bodies of its tasks, by rank.
 *
 * HRLI_LINE takes what struct hrl_line says, in its order, then its tasks by rank; HRLI_LINES all
 * lines, the most urgent first. At file scope, without a semicolon.
 */
#define HRLI_LINE_WORDS(l) static struct hrli_line_words words_##l;
#define HRLI_LINE(l, words, server, level, number, is_cell, ...)                                   \
    static const struct hrl_basic *const tasks_##l[] HRLI_CONSTANT = {__VA_ARGS__};                \
    const struct hrl_line hrl_gen_line_##l HRLI_CONSTANT = {                                       \
        tasks_##l, words, server, sizeof tasks_##l / sizeof tasks_##l[0], level, number, is_cell};
#define HRLI_BODIES(l, ...) static void (*const bodies_##l[])(void) HRLI_CONSTANT = {__VA_ARGS__};
#define HRLI_LINES(...)                                                                            \
    static const struct hrl_line *const lines[] HRLI_CONSTANT = {__VA_ARGS__};                     \
    const struct hrli_lines hrl_gen_lines HRLI_CONSTANT = {lines, sizeof lines / sizeof lines[0]};

#define HRLI_SERVE_ALONE(body) hrli_line_serve_alone(body);
#if HRLP_LINE_TRIES_NEXT /* as it is text */
#define HRLI_SERVE_LINE(l, words)                                                                  \
    hrli_line_serve_in_order(words, bodies_##l, sizeof bodies_##l / sizeof bodies_##l[0]);
#else
#define HRLI_SERVE_LINE(l, words) hrli_line_serve(words, bodies_##l);
#endif
#define HRLI_RUN_LINE(l) hrli_line_run(HRLP_CONST_AT(&hrl_gen_line_##l));

/* catch_up_<l>, the body of the catch-up tasks of line `l`. At file scope, without a semicolon. */
#define HRLI_CATCH_UP_BODY(l)                                                                      \
    static void catch_up_##l(void)                                                                 \
    {                                                                                              \
        hrli_line_catch_up(HRLP_CONST_AT(&hrl_gen_line_##l));                                      \
    }

/*
 * On a port with entries of handlers that save what the handler may change (HRLP_LINE_ENTRY):
 * the entry of `handler`, behind which `function` runs and may change the registers of `frame`. At
 * file scope, without a semicolon.
 */
#define HRLI_LINE_ENTRY(handler, function, frame, threads)                                         \
    HRLP_LINE_ENTRY(handler, function, frame, threads);

/* The entry of a handler that is the task with `body`. */
#if HRL_CHECKS /* as they look at what the body leaves behind */
#define HRLI_ALONE_ENTRY(handler, body, frame, threads)                                            \
    HRLI_HANDLER(handler, HRLI_SERVE_ALONE(body))
#else
#define HRLI_ALONE_ENTRY HRLI_LINE_ENTRY
#endif

/* In start-up code, before the clock starts. */
#define HRLI_ENABLE_OVERRUNS hrlp_line_enable_overruns();
#define HRLI_ENABLE_LINE(number, level) hrlp_line_enable(number, level);
#define HRLI_FIRST_DUE(i, first) hrl_gen_due_##i = HRLI_LINE_TABLE_DUE(first);

/* In start-up code, after the clock has started. */
#define HRLI_START_PERIODIC(device, instance, first, period)                                       \
    device##_start_periodic(instance, first, period);
#define HRLI_START_ONE_SHOT(device, instance, first) device##_arm(instance, first);

/*
 * reported_<group>, the tasks that are their cells' interrupts, by cell: [bit] = &task, ... At file
 * scope, without a semicolon.
 */
#define HRLI_REPORTED(group, ...)                                                                  \
    static const struct hrl_basic *const reported_##group[] = {__VA_ARGS__};

/*
 * In the handler of overruns that the controller reports: of the one task that is its cell's
 * interrupt, on line `l`; or of those in reported_<group>, with the bits `cells`.
 */
#define HRLI_REPORT_OVERRUN(l, task)                                                               \
    if (hrlp_line_overran_alone(hrl_gen_line_##l.number)) {                                        \
        hrli_basic_overrun(task);                                                                  \
    }
#define HRLI_REPORT_OVERRUNS(group, cells)                                                         \
    hrlp_line_report_overruns(hrlp_line_overruns(group) & (cells), reported_##group,               \
                              hrli_basic_overrun);

/* In the doorbell's handler: wakes the servers that have something to do. */
#define HRLI_RING_SERVERS hrli_server_ring();

#endif
