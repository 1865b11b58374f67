/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NARROW_CLOCK_H
#define HRLP_NARROW_CLOCK_H

/* hrlp_clock.h of a counter that wraps: the kernel counts the wraps, and does not read it wide. */

#define HRLP_CLOCK_IS_WIDE false

static inline hrl_counts hrlp_clock_read_wide(void)
{
    return 0;
}

static inline uint32_t hrlp_clock_read_high(void)
{
    return 0;
}

#endif
