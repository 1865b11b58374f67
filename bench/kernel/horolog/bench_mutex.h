/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_MUTEX_H
#define BENCH_MUTEX_H

#include <hrl/mutex.h>

/* With priority inheritance. */
#define BENCH_MUTEX_DEFINE(name) HRL_MUTEX_DEFINE(name)
#define BENCH_MUTEX_PREPARE(name) ((void)0)
#define BENCH_MUTEX_LOCK(name) ((void)hrl_mutex_lock(&(name), HRL_FOREVER))
#define BENCH_MUTEX_UNLOCK(name) hrl_mutex_unlock(&(name))

#endif
