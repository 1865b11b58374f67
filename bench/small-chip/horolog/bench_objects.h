/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_OBJECTS_H
#define BENCH_OBJECTS_H

#include <hrl/alarm.h>
#include <hrl/kernel.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>

#define BENCH_SEMAPHORE(name) static HRL_SEMAPHORE_DEFINE(name, 0, 1);
#define BENCH_SEMAPHORE_BEGIN(name) ((void)0)
#define BENCH_TAKE(name) ((void)hrl_semaphore_take_forever(&(name)))

/* Gives the semaphore every 10 ms. */
#define BENCH_ALARM(name, semaphore) static HRL_ALARM_DEFINE_GIVE(name, semaphore);
#define BENCH_ALARM_BEGIN(name)                                                                    \
    hrl_alarm_start_periodic(&(name), hrl_now() + HRL_MS(10), HRL_PERIOD_MS(10), HRL_ALARM_FOREVER)

#define BENCH_THREAD(name, function, level, bytes)                                                 \
    HRL_THREAD_DEFINE(name, function, NULL, level, bytes);
#define BENCH_THREAD_BEGIN(name) hrl_thread_start(&(name))

#define BENCH_RUN() hrl_start()

#endif
