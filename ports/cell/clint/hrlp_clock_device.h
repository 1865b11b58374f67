/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLOCK_DEVICE_H
#define HRLP_CLOCK_DEVICE_H

#include "clint.h"
#include "hrlp_narrow_clock.h"

static inline hrl_stamp hrlp_clock_read(void)
{
    return HRLP_CLINT_TIME[0];
}

static inline bool hrlp_clock_wrap_pending(void)
{
    return HRLP_CLINT_TIME[1] != hrlp_clint.wraps;
}

#endif
