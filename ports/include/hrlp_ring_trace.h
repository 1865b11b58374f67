/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_RING_TRACE_H
#define HRLP_RING_TRACE_H

/* hrlp_trace.h of a firmware that writes what the kernel says into its ring. */

#include "hrlp_ring.h"

#define HRLP_TRACES false /* of each task that a mask releases; the mask itself is told */

static inline void hrlp_trace_start(void)
{
    hrli_trace_start();
}

static inline void hrlp_trace_mask(uint32_t level, uint32_t released)
{
    hrli_trace_mask(level, released);
}

static inline void hrlp_trace_released(const void *waiter, hrl_stamp instant)
{
    (void)instant;
    hrli_trace_released(waiter);
}

static inline void hrlp_trace_served(const void *releaser, hrl_stamp instant)
{
    (void)instant;
    hrli_trace_served(releaser);
}

#endif
