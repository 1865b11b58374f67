/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CONTEXT_H
#define HRLI_CONTEXT_H

#include "check.h"

/*
 * The contexts that a public call may be called from, checked at its head before anything is
 * changed; builds without checks leave this out. `call` is its name, a literal, with which the
 * reason begins. docs/guide/contexts.md has the table of calls and contexts.
 */

/* A thread, the idle thread included. */
#define HRLI_CHECK_THREAD(call) HRLI_CHECK(hrli_is_thread(), call ": for threads")

/* A thread, or start-up code before hrl_start, which prepares threads. */
#define HRLI_CHECK_THREAD_OR_START_UP(call)                                                        \
    HRLI_CHECK(hrli_is_thread() || hrli_is_start_up(), call ": for threads, and before hrl_start")

/* A thread, or a function that an alarm calls. */
#define HRLI_CHECK_THREAD_OR_ALARM(call)                                                           \
    HRLI_CHECK(hrli_is_thread_or_alarm(), call ": for threads, and what alarms call")

/* A thread that may wait, end, or give way to another. */
#define HRLI_CHECK_MAY_WAIT(call)                                                                  \
    do {                                                                                           \
        HRLI_CHECK(hrli_is_waiting_thread(), call ": for threads, not the idle thread");           \
        HRLI_CHECK(hrli_holds_no_resource(), call ": not with a resource held");                   \
        HRLI_CHECK(!hrlp_irq_is_masked(), call ": not with interrupts masked");                    \
    } while (0)

/* A call that waits until `until`, even if it would find at once what it asks for. */
#define HRLI_CHECK_WAIT(call, until)                                                               \
    do {                                                                                           \
        if ((until) == HRL_NO_WAIT) {                                                              \
            HRLI_CHECK_CALL(call);                                                                 \
        } else {                                                                                   \
            HRLI_CHECK_MAY_WAIT(call " that may wait");                                            \
        }                                                                                          \
    } while (0)

/*
 * What these checks ask. A function that an alarm calls does not count as code of the thread that
 * it may run in, nor does a basic task count as code of the thread that may serve it. Context: any.
 */
bool hrli_is_thread(void);
bool hrli_is_start_up(void);
bool hrli_is_thread_or_alarm(void);
bool hrli_is_waiting_thread(void);
bool hrli_holds_no_resource(void);

#endif
