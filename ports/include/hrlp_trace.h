/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_TRACE_H
#define HRLP_TRACE_H

#include <hrl/types.h>

/*
 * Porting contract: what the kernel tells an observer.
 *
 * On a board these are empty and cost nothing: a measurement sees the same from outside the
 * firmware. The host port writes them down, and so does a firmware that measures itself (hrlp_ring_trace.h). The port defines
 * HRLP_TRACES: whether it is told of each task that a mask releases. Context: the owner of the releaser, interrupts masked
 * or not.
 */

/* The clock runs. Context: start-up, interrupts masked. */
static inline void hrlp_trace_start(void);

/*
 * The task that `waiter` stands for was released for `instant`; or its thread woke at a hop towards
 * a release (hrli_period), where it waits on and none of its jobs begins.
 */
static inline void hrlp_trace_released(const void *waiter, hrl_stamp instant);

/* `releaser` served `instant`, whether or not a task was due. */
static inline void hrlp_trace_served(const void *releaser, hrl_stamp instant);

/* A mask released the threads with these bits of the word of `level` (kernel/ready/release_mask.h). */
static inline void hrlp_trace_mask(uint32_t level, uint32_t released);

#include "hrlp_trace_arch.h"

#endif
