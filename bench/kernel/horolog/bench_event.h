/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_EVENT_H
#define BENCH_EVENT_H

#include <hrl/event.h>

/* Waits for any of the flags, which it clears. */
#define BENCH_EVENT_DEFINE(name) HRL_EVENT_DEFINE(name)
#define BENCH_EVENT_PREPARE(name) ((void)0)
#define BENCH_EVENT_WAIT(name, flags)                                                              \
    ((void)hrl_event_wait(&(name), flags, HRL_EVENT_CLEAR, HRL_FOREVER, NULL))
#define BENCH_EVENT_SET(name, flags) hrl_event_set(&(name), flags)

#endif
