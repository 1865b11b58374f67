/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLOCK_DEVICE_H
#define HRLP_CLOCK_DEVICE_H

#include "timer_cells.h"

static inline hrl_stamp hrlp_clock_read(void)
{
    return HRLP_TIMER_CELLS_TIME[0];
}

/* The timer interrupt of the hart, in mip: the wrap that it is set to has been reached. */
static inline bool hrlp_clock_wrap_pending(void)
{
    uint32_t pending;

    __asm__ volatile("csrr %0, mip" : "=r"(pending) : : "memory");
    return (pending & (1u << 7)) != 0;
}

#endif
