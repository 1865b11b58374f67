/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLOCK_DEVICE_H
#define HRLP_CLOCK_DEVICE_H

#include "hrlp_host_machine.h"
#include "hrlp_narrow_clock.h"

#define HRLP_CELL_START_COUNTS 0u

static inline hrl_stamp hrlp_clock_read(void)
{
    hrlp_host_port_call();
    return (hrl_stamp)hrlp_host_now();
}

static inline bool hrlp_clock_wrap_pending(void)
{
    hrlp_host_port_call();
    return hrlp_host_pending(HRLP_HOST_CLOCK_LINE);
}

#endif
