/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_OWN_BUDGETS_H
#define HRLI_OWN_BUDGETS_H

#include "budget_tasks.h"
#include "descriptors.h"
#include "hrlp_cpu.h"
#include "line_handler.h"
#include "own_budget.h"

/*
 * Execution budgets by a cell for each task become code (own_budget.h); the tasks are named by
 * HRLI_BUDGET_TASKS, once HRLI_OWN_BUDGETS stands before all. At file scope, without a semicolon.
 */
#define HRLI_OWN_BUDGETS static struct hrli_budget_watch budget_watch;

/*
 * The budget of `counts` of a task, number `number` among those with budgets, on channel `instance` of `device`,
 * with hrl_gen_budgeted_<task>, the body of such a task, which shares its line.
 */
#define HRLI_OWN_BUDGET(task, number, device, instance, counts)                                    \
    static void start_budget_##task(void)                                                          \
    {                                                                                              \
        device##_budget_start(instance);                                                           \
    }                                                                                              \
    static void again_budget_##task(void)                                                          \
    {                                                                                              \
        device##_budget_again(instance, counts);                                                   \
    }                                                                                              \
    static void stop_budget_##task(void)                                                           \
    {                                                                                              \
        device##_budget_stop(instance, counts);                                                    \
    }                                                                                              \
    static const struct hrli_own_budget budget_##task = {number, start_budget_##task,              \
                                                         again_budget_##task, stop_budget_##task}; \
    void hrl_gen_budgeted_##task(void);                                                            \
    void hrl_gen_budgeted_##task(void)                                                             \
    {                                                                                              \
        hrli_own_budget_run(&budget_##task, &budget_watch, hrl_gen_body_##task);                   \
    }

/* The handler of the cell, which interrupts at `level`, of a task that shares its line. */
#define HRLI_OWN_BUDGET_HANDLER(name, task, level)                                                 \
    void (*hrl_gen_budget_interrupt_##task(void))(void);                                           \
    void (*hrl_gen_budget_interrupt_##task(void))(void)                                            \
    {                                                                                              \
        const struct hrl_basic *of = hrl_gen_budget_tasks[budget_##task.number];                   \
                                                                                                   \
        return hrli_own_budget_interrupt(&budget_##task,                                           \
                                         hrlp_line_interrupted(hrli_line_of(of)->priority, level), \
                                         hrli_own_budget_is_open(&budget_##task, &budget_watch),   \
                                         hrli_budget_leave(&budget_watch));                        \
    }                                                                                              \
    HRLP_CPU_REDIRECTING_HANDLER(name, hrl_gen_budget_interrupt_##task)

/*
 * The same of a task that is alone on its line, on a port with entries of handlers (HRLI_LINE_ENTRY): the entry of
 * its `handler`.
 */
#if HRL_CHECKS /* as HRLI_ALONE_ENTRY */
#define HRLI_COUNTED_ENTRY(handler, task, body, frame, threads, compare, step, late, kept,         \
                           ceiling)                                                                \
    HRLI_HANDLER(handler, HRLI_SERVE_ALONE(body))
#define HRLI_ALONE_BUDGET_HANDLER(name, task, level, handler)                                      \
    HRLI_OWN_BUDGET_HANDLER(name, task, level)
#else
#define HRLI_COUNTED_ENTRY(handler, task, body, frame, threads, compare, step, late, kept,         \
                           ceiling)                                                                \
    static void *volatile place_##task __attribute__((used));                                      \
    HRLP_LINE_COUNTED_ENTRY(handler, hrl_gen_body_##task, frame, threads, compare, step, late,     \
                            kept, place_##task, ceiling);
#define HRLI_ALONE_BUDGET_HANDLER(name, task, level, handler)                                      \
    void handler##_ended(void);                                                                    \
    void (*hrl_gen_budget_interrupt_##task(void))(void);                                           \
    void (*hrl_gen_budget_interrupt_##task(void))(void)                                            \
    {                                                                                              \
        const struct hrl_basic *of = hrl_gen_budget_tasks[budget_##task.number];                   \
                                                                                                   \
        return hrli_own_budget_interrupt(                                                          \
            &budget_##task, hrlp_line_interrupted(hrli_line_of(of)->priority, level),              \
            hrlp_line_is_active(hrli_line_of(of)->number), handler##_ended);                       \
    }                                                                                              \
    HRLP_CPU_REDIRECTING_HANDLER(name, hrl_gen_budget_interrupt_##task)
#endif

/* In start-up code: the cell is of `group`, which follows the task's line; the budget is `counts`. */
#define HRLI_PREPARE_OWN_BUDGET(device, instance, group, line, counts)                             \
    device##_budget_prepare(instance, group, hrl_gen_line_##line.number, counts);

#endif
