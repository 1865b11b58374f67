/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_ACTIVATION_HANDLER_H
#define HRLI_ACTIVATION_HANDLER_H

#include "activation.h"
#include "handler.h"

/*
 * The handler `name` of a cell that activates the sporadic thread `task`, and does nothing else (activation.h); the
 * general handler behind it, hrl_gen_general_<name>, does what the rest of the line says (handler.h). At
 * file scope, without a semicolon.
 */
#define HRLI_ACTIVATION_HANDLER(name, task, ...)                                                   \
    struct hrlp_cpu_end hrl_gen_general_##name(void *interrupted);                                 \
    __attribute__((noinline)) struct hrlp_cpu_end hrl_gen_general_##name(void *interrupted)        \
    {                                                                                              \
        __VA_ARGS__                                                                                \
        return (struct hrlp_cpu_end){NULL, interrupted};                                           \
    }                                                                                              \
    HRLP_CPU_ENDING_HANDLER(name, hrl_gen_general_##name);                                         \
    struct hrlp_cpu_end name(void *interrupted);                                                   \
    struct hrlp_cpu_end name(void *interrupted)                                                    \
    {                                                                                              \
        return hrli_activation_interrupt(interrupted, &activate_##task, &preempted_by_##task,      \
                                         hrli_dispatch_leave_nothing, hrl_gen_general_##name);     \
    }

/* Before such handlers. */
#define HRLI_ACTIVATED_BY_CELL(task)                                                               \
    extern struct hrl_semaphore activate_##task;                                                   \
    static struct hrli_preempted preempted_by_##task;

/* HRLI_SPORADIC of a thread that such a handler activates. */
#define HRLI_SPORADIC_BY_CELL(number, name, level)                                                 \
    HRL_SEMAPHORE_DEFINE(activate_##name, 0, 1);                                                   \
    HRLI_ACTIVATED_THREAD(number, name, level,                                                     \
                          hrli_activation_wait(&activate_##name, &preempted_by_##name))

#endif
