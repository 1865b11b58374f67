/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_BUDGETS_H
#define HRLI_BUDGETS_H

#include "budget.h"
#include "budget_tasks.h"
#include "descriptors.h"
#include "handler.h"
#include "hrlp_cell.h"
#include "hrlp_cpu.h"
#include "hrlp_line.h"
#include "interrupt.h"

/*
 * Execution budgets, all by one cell, become code (budget.h); the tasks are named by HRLI_BUDGET_TASKS. At file
 * scope, without a semicolon.
 *
 * On channel `instance` of `device`, which interrupts at `level`; without a controller that means nothing.
 */
#define HRLI_BUDGETS(device, instance, level)                                                      \
    static struct hrli_budget_watch budget_watch;                                                  \
    static void arm_budget(hrl_stamp due)                                                          \
    {                                                                                              \
        device##_arm(instance, due);                                                               \
    }                                                                                              \
    static void disarm_budget(void)                                                                \
    {                                                                                              \
        device##_disarm(instance);                                                                 \
    }                                                                                              \
    static const struct hrli_budgets budgets = {&budget_watch, arm_budget, disarm_budget};         \
    static bool budget_interrupted(const struct hrl_basic *task)                                   \
    {                                                                                              \
        return hrlp_line_interrupted(hrli_line_of(task)->priority, level);                         \
    }                                                                                              \
    void (*hrl_gen_budget_interrupt(void))(void);                                                  \
    void (*hrl_gen_budget_interrupt(void))(void)                                                   \
    {                                                                                              \
        HRLI_ACKNOWLEDGE(device, instance)                                                         \
        return hrli_budget_interrupt(&budgets, budget_interrupted);                                \
    }

/* The handler of the cell. */
#define HRLI_BUDGET_HANDLER(name) HRLP_CPU_REDIRECTING_HANDLER(name, hrl_gen_budget_interrupt)

/*
 * hrl_gen_budgeted_<task>, the body of a task with a budget of `counts`; `number` is its place in
 * hrl_gen_budget_tasks. HRLI_PAUSING_TASK: hrl_gen_pausing_<task>, of any task that a thread runs, and that may
 * come into one with a budget; `body` is what it runs.
 */
#define HRLI_BUDGETED_TASK(task, number, counts)                                                   \
    void hrl_gen_budgeted_##task(void);                                                            \
    void hrl_gen_budgeted_##task(void)                                                             \
    {                                                                                              \
        hrli_budget_run(&budgets, number, counts, hrl_gen_body_##task);                            \
    }
#define HRLI_PAUSING_TASK(task, body)                                                              \
    void hrl_gen_pausing_##task(void);                                                             \
    void hrl_gen_pausing_##task(void)                                                              \
    {                                                                                              \
        HRLI_PAUSING(body();)                                                                      \
    }

/* In a handler that may come into a job with a budget: what it does, which the job is not charged. */
#define HRLI_PAUSING(...)                                                                          \
    {                                                                                              \
        struct hrli_budget_job *paused = hrli_budget_pause(&budgets);                              \
                                                                                                   \
        __VA_ARGS__                                                                                \
        hrli_budget_resume(&budgets, paused);                                                      \
    }

/* HRLI_INTERRUPT_AND of such an interrupt. */
#define HRLI_PAUSING_INTERRUPT(interrupt, body, ...)                                               \
    void hrl_gen_body_##body(void);                                                                \
    static void hrl_gen_interrupt_##interrupt(void *argument)                                      \
    {                                                                                              \
        (void)argument;                                                                            \
        HRLI_PAUSING(hrl_gen_body_##body(); __VA_ARGS__)                                           \
    }

#endif
