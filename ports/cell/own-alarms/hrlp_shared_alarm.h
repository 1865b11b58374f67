/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_SHARED_ALARM_H
#define HRLP_SHARED_ALARM_H

#include "hrlp_own_alarms.h"

/*
 * One alarm for both cores, in the place of one each (hrlp_own_alarms.h), for the unified timing models: they set it
 * under a lock. Its interrupt is core 0's. Where core 1 is due, core 0 raises the line of the alarm after it by TIMER's
 * register that forces interrupts: that alarm is never armed, and core 1 has the same handler for its line. An instant
 * that has passed while it was set is forced in the same way, as the core that sets it may be core 1. The channel is 0.
 */
#define HRLP_SHARED_ALARM_FORCE (*(volatile uint32_t *)0x4005603Cu)   /* INTF, sets bits */
#define HRLP_SHARED_ALARM_UNFORCE (*(volatile uint32_t *)0x4005703Cu) /* INTF, clears bits */

static inline void hrlp_shared_alarm_prepare(unsigned channel, unsigned priority)
{
    hrlp_own_alarms_prepare(channel, priority);
}

static inline void hrlp_shared_alarm_forget(unsigned alarm)
{
    HRLP_SHARED_ALARM_UNFORCE = HRLP_RP_TIMER_BIT(alarm);
    HRLP_RP_TIMER->fired = HRLP_RP_TIMER_BIT(alarm);
}

static inline void hrlp_shared_alarm_acknowledge(unsigned channel)
{
    hrlp_shared_alarm_forget(hrlp_own_alarms_channel(channel));
}

/* Writing the alarm arms it anew, and what was requested before finds nothing that is due: there is nothing to halt. */
static inline void hrlp_shared_alarm_halt(unsigned channel)
{
    (void)channel;
}

/* The clock is read behind the store: an instant that is still to come then is not missed. */
static inline __attribute__((always_inline)) int32_t hrlp_shared_alarm_match(unsigned channel,
                                                                             hrl_stamp due)
{
    HRLP_RP_TIMER->alarm[channel] = due;
    return hrlp_cell_left(due, 0);
}

/* Disarmed first, so that it does not fire for the same instant afterwards. */
static inline void hrlp_shared_alarm_soon(unsigned channel)
{
    hrlp_rp_timer_disarm(channel);
    if (!hrlp_rp_timer_fired(channel)) {
        HRLP_SHARED_ALARM_FORCE = HRLP_RP_TIMER_BIT(channel);
    }
}

HRLP_CELL_ARM_MATCH(hrlp_shared_alarm, 1)

/* Has the handler called on `core`, another one than core 0. Context: the cell's handler, on core 0. */
static inline void hrlp_shared_alarm_ring(unsigned core)
{
    HRLP_SHARED_ALARM_FORCE = HRLP_RP_TIMER_BIT(core);
}

HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_shared_alarm)

#endif
