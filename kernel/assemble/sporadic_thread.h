/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SPORADIC_THREAD_H
#define HRLI_SPORADIC_THREAD_H

#include "cores.h"
#include <hrl/semaphore.h>
#include <hrl/thread.h>

/*
 * A sporadic task: a thread that runs hrl_gen_body_<number> once for each time that the semaphore
 * activate_<name> is given. One that is given while a job is unfinished waits; further ones find the
 * semaphore full. HRLI_SPORADIC_QUEUED lets `most` of them wait. At file scope, without a semicolon, behind
 * HRLI_STACK(number, ...).
 */
#define HRLI_SPORADIC(number, name, level) HRLI_SPORADIC_QUEUED(number, name, level, 1)
#define HRLI_SPORADIC_QUEUED(number, name, level, most)                                            \
    HRL_SEMAPHORE_DEFINE(activate_##name, 0, most);                                                \
    HRLI_ACTIVATED_THREAD(number, name, level, hrl_semaphore_take_forever(&activate_##name))

/* The thread of such a task: it runs the body each time that `wait`, statements, has come to an end. */
#define HRLI_ACTIVATED_THREAD(number, name, level, wait)                                           \
    void hrl_gen_body_##number(void);                                                              \
    __attribute__((noreturn)) static void hrl_gen_run_##number(void *argument)                     \
    {                                                                                              \
        (void)argument;                                                                            \
        for (;;) {                                                                                 \
            wait;                                                                                  \
            hrl_gen_body_##number();                                                               \
        }                                                                                          \
    }                                                                                              \
    static struct hrl_thread hrl_gen_sporadic_##number = {                                         \
        HRLI_THREAD_FIELDS(HRLI_TEXT(#name), hrl_gen_run_##number, NULL,                           \
                           (level) + HRLI_THREAD_REQUIRES(level, hrl_gen_stack_##number),          \
                           hrl_gen_stack_##number) HRLI_ON_ITS_CORE};

/* In start-up code: lets it wait for its first activation. */
#define HRLI_START_SPORADIC(number) (void)hrl_thread_start(&hrl_gen_sporadic_##number);

/* In the handler that activates it. */
#define HRLI_ACTIVATE(name) (void)hrl_semaphore_give(&activate_##name);

#endif
