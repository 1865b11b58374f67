/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_TRACE_H
#define HRLP_TRACE_H

#include <hrl/types.h>

/*
 * Porting contract: what the kernel tells an observer.
 *
 * On a board these are empty and cost nothing: a measurement sees the same from outside the
 * firmware. The host port writes them down. The port defines HRLP_TRACES: whether it does. Context: the owner of the releaser, interrupts masked
 * or not.
 */

/*
 * The task that `waiter` stands for was released for `instant`; or its thread woke at a hop towards
 * a release (hrli_period), where it waits on and none of its jobs begins.
 */
static inline void hrlp_trace_released(const void *waiter, hrl_stamp instant);

/* `releaser` served `instant`, whether or not a task was due. */
static inline void hrlp_trace_served(const void *releaser, hrl_stamp instant);

#include "hrlp_trace_arch.h"

#endif
