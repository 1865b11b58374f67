/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NO_TRACE_H
#define HRLP_NO_TRACE_H

/* hrlp_trace.h without an observer. */

#define HRLP_TRACES false

static inline void hrlp_trace_start(void) {}

static inline void hrlp_trace_mask(uint32_t level, uint32_t released)
{
    (void)level;
    (void)released;
}

static inline void hrlp_trace_released(const void *waiter, hrl_stamp instant)
{
    (void)waiter;
    (void)instant;
}

static inline void hrlp_trace_served(const void *releaser, hrl_stamp instant)
{
    (void)releaser;
    (void)instant;
}

#endif
