/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_OWN_ALARMS_H
#define HRLP_OWN_ALARMS_H

#include "hrlp_cores.h"
#include "hrlp_rp_timer.h"

/*
 * Alarms of the RP2040's TIMER for code that both cores share (systems/plain): channel `n` is on core c the alarm n + c
 * (hrlp_rp_timer.h). All lines reach both cores, and each lets its own through. The handler is that of the alarm n on
 * both.
 */
static inline unsigned hrlp_own_alarms_channel(unsigned channel)
{
    return channel + hrlp_core_number();
}

static inline void hrlp_own_alarms_prepare(unsigned channel, unsigned priority)
{
    const unsigned own = hrlp_own_alarms_channel(channel);

    hrlp_irq_enable_like(HRLP_RP_TIMER_LINE(own), HRLP_RP_TIMER_LINE(channel), priority);
}

static inline void hrlp_own_alarms_acknowledge(unsigned channel)
{
    hrlp_rp_timer_acknowledge(hrlp_own_alarms_channel(channel));
}

static inline bool hrlp_own_alarms_fired(unsigned channel)
{
    return hrlp_rp_timer_fired(hrlp_own_alarms_channel(channel));
}

static inline void hrlp_own_alarms_disarm(unsigned channel)
{
    hrlp_rp_timer_disarm(hrlp_own_alarms_channel(channel));
}

static inline void hrlp_own_alarms_arm(unsigned channel, hrl_stamp due)
{
    hrlp_rp_timer_arm(hrlp_own_alarms_channel(channel), due);
}

static inline void hrlp_own_alarms_start_periodic(unsigned channel, hrl_stamp first,
                                                  uint32_t period)
{
    hrlp_rp_timer_start_periodic(hrlp_own_alarms_channel(channel), first, period);
}

HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_own_alarms)

#endif
