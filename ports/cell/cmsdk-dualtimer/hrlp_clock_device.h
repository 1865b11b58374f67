/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLOCK_DEVICE_H
#define HRLP_CLOCK_DEVICE_H

#include "cmsdk_dualtimer.h"

/* The clock is the dual timer's second channel, which counts down; its complement counts up. */
#include "hrlp_narrow_clock.h"

static inline hrl_stamp hrlp_clock_read(void)
{
    return ~HRLP_CMSDK_DUALTIMER(1)->value;
}

static inline bool hrlp_clock_wrap_pending(void)
{
    return HRLP_CMSDK_DUALTIMER(1)->masked_status != 0;
}

#endif
