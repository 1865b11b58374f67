/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_GLOBAL_THREAD_H
#define HRLI_GLOBAL_THREAD_H

#include "cores.h"
#include "hrlp_per_core.h"
#include "release_wait.h"
#include <hrl/hooks.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>

/*
 * A periodic task that several cores may run (kernel/thread/global.h). Its jobs run in a thread in memory that all
 * cores share, which waits for a semaphore. A periodic thread of one core, above all others there, gives it at each
 * release: so no core touches another's store, and a release comes in whatever that core runs. A release while the
 * job before it is unfinished is dropped, as of other tasks that skip overruns.
 */

/*
 * In the file of all cores, at file scope, without a semicolon, behind HRLI_STACK(number, ...): the thread that runs
 * hrl_gen_body_<number> at `level` on any core of `cores`, a bit each. `text` is its name.
 */
#define HRLI_GLOBAL_THREAD(number, text, level, cores)                                             \
    void hrl_gen_body_##number(void);                                                              \
    void hrl_gen_release_##number(void);                                                           \
    static HRL_SEMAPHORE_DEFINE(released_##number, 0, 1);                                          \
    static uint8_t busy_##number;                                                                  \
    static struct hrli_global_timeout timeouts_##number[HRL_CORES];                                \
    __attribute__((noreturn)) static void run_##number(void *argument)                             \
    {                                                                                              \
        (void)argument;                                                                            \
        for (;;) {                                                                                 \
            hrl_semaphore_take_forever(&released_##number);                                        \
            hrl_gen_body_##number();                                                               \
            HRLP_PUBLISH(busy_##number, 0);                                                        \
        }                                                                                          \
    }                                                                                              \
    static struct hrl_thread global_##number = {                                                   \
        HRLI_THREAD_FIELDS(HRLI_TEXT(text), run_##number, NULL,                                    \
                           (level) + HRLI_THREAD_REQUIRES(level, hrl_gen_stack_##number),          \
                           hrl_gen_stack_##number) HRLI_GLOBAL_FIELDS(cores, timeouts_##number)};  \
    void hrl_gen_release_##number(void)                                                            \
    {                                                                                              \
        if (HRLP_SEE_PUBLISHED(busy_##number) != 0) {                                              \
            hrl_overrun_hook(&global_##number, HRLI_RELEASED_NOW);                                 \
        } else {                                                                                   \
            HRLP_SHOW(busy_##number, 1);                                                           \
            (void)hrl_semaphore_give(&released_##number);                                          \
        }                                                                                          \
    }

/* In start-up code: lets it wait for its first release. */
#define HRLI_START_GLOBAL(number) hrl_thread_start(&global_##number);

/* In the file of the core that releases it: the body of the periodic thread that does. */
#define HRLI_RELEASES_GLOBAL(number) void hrl_gen_release_##number(void);

/* The instant of the release that the running thread, a periodic one, serves. */
#define HRLI_RELEASED_NOW (((struct hrli_periodic_thread *)hrli_core.running)->waiter.node.key)

#endif
