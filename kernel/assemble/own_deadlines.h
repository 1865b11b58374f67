/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_OWN_DEADLINES_H
#define HRLI_OWN_DEADLINES_H

#include "deadline_tasks.h"
#include "hrlp_cell.h"
#include "line_handler.h"
#include "own_deadline.h"

/*
 * Monitored deadlines by a cell for each task become code (own_deadline.h); the tasks are named by
 * HRLI_DEADLINE_TASKS. All at file scope, without a semicolon.
 *
 * hrl_gen_monitored_<task>, the body of such a task. Its cell is channel `instance` of `device`; `step` are
 * the counts from deadline to deadline, `after` those from a point to its deadline; `body` is what it runs.
 */
#define HRLI_USED __attribute__((used)) /* by an entry in assembly */
#define HRLI_OWN_DEADLINE(task, device, instance, step, after, body)                               \
    static volatile uint32_t step_##task HRLI_USED = step;                                         \
    static inline int32_t ahead_##task(void)                                                       \
    {                                                                                              \
        return device##_compare_ahead(instance);                                                   \
    }                                                                                              \
    static inline uint32_t compare_##task(void)                                                    \
    {                                                                                              \
        return device##_compare(instance);                                                         \
    }                                                                                              \
    static inline void set_##task(uint32_t to)                                                     \
    {                                                                                              \
        device##_set_compare(instance, to);                                                        \
    }                                                                                              \
    static inline void move_##task(uint32_t by)                                                    \
    {                                                                                              \
        set_##task(compare_##task() + by);                                                         \
    }                                                                                              \
    static HRLI_USED __attribute__((noinline, cold)) void late_##task(void)                        \
    {                                                                                              \
        hrli_own_deadline_late(&step_##task, step, after, ahead_##task, move_##task);              \
    }                                                                                              \
    void hrl_gen_monitored_##task(void);                                                           \
    void hrl_gen_monitored_##task(void)                                                            \
    {                                                                                              \
        body();                                                                                    \
        hrli_own_deadline_end(&step_##task, compare_##task, set_##task, late_##task);              \
    }

/*
 * The entry of a handler that is such a task, on a port with entries of handlers (HRLI_LINE_ENTRY); `compare`
 * is the address of its cell's comparison; late_<task> may change the registers of `late_frame`.
 */
#if HRL_CHECKS /* as HRLI_ALONE_ENTRY */
#define HRLI_WATCHED_ENTRY(handler, task, frame, threads, compare, late_frame)                     \
    HRLI_HANDLER(handler, HRLI_SERVE_ALONE(hrl_gen_monitored_##task))
#else
#define HRLI_WATCHED_ENTRY(handler, task, frame, threads, compare, late_frame)                     \
    HRLP_LINE_WATCHED_ENTRY(handler, hrl_gen_body_##task, frame, threads, compare, step_##task,    \
                            late_##task, late_frame);
#endif

/* In the handler of the cell, acknowledged; `number` is the task's place in hrl_gen_deadline_tasks. */
#define HRLI_SERVE_OWN_DEADLINE(task, number, step)                                                \
    hrli_own_deadline_interrupt(number, &step_##task, step, ahead_##task, move_##task);

/* In start-up code, after the clock has started: the first deadline is at `first`. */
#define HRLI_START_OWN_DEADLINE(device, instance, first) device##_arm(instance, first);

#endif
