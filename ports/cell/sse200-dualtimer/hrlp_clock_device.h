/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLOCK_DEVICE_H
#define HRLP_CLOCK_DEVICE_H

#include "hrlp_narrow_clock.h"
#include "sse200_dualtimer.h"

/* It counts down; its complement counts up. */
static inline hrl_stamp hrlp_clock_read(void)
{
    return ~HRLP_SSE200_DUALTIMER(HRLP_SSE200_DUALTIMER_CLOCK)->value;
}

static inline bool hrlp_clock_wrap_pending(void)
{
    return hrlp_sse200_dualtimer_wrapped() != (uint8_t)hrlp_sse200_dualtimer_wraps;
}

#define HRLP_CLOCK_JOINS

#endif
