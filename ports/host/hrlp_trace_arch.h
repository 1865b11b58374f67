/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_TRACE_ARCH_H
#define HRLP_TRACE_ARCH_H

#include "hrlp_host_jobs.h"

#define HRLP_TRACES true

static inline void hrlp_trace_start(void) {}

/* It is told of each task. */
static inline void hrlp_trace_mask(uint32_t level, uint32_t released)
{
    (void)level;
    (void)released;
}

static inline void hrlp_trace_released(const void *waiter, hrl_stamp instant)
{
    hrlp_host_saw_release(waiter, instant);
}

static inline void hrlp_trace_served(const void *releaser, hrl_stamp instant)
{
    hrlp_host_saw_service(releaser, instant);
}

#endif
