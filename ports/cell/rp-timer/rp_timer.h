/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_RP_TIMER_REGISTERS_H
#define HRLP_RP_TIMER_REGISTERS_H

#include <stdint.h>

/*
 * The RP2040's TIMER (RP2040 Datasheet, 4.6): 64 bits of microseconds, and four alarms of 32 bits, each with an
 * interrupt line of its own. Writing an alarm arms it. It fires when the lower half of the counter is equal to it, and
 * is disarmed then; what has passed already waits for the lower half to come around, for 71 minutes.
 */
struct hrlp_rp_timer_registers {
    uint32_t latched[4]; /* not used: the halves that are not latched serve all cores and levels */
    volatile uint32_t alarm[4];            /* 0x10 */
    volatile uint32_t armed;               /* 0x20: 1 written disarms */
    volatile uint32_t time_high, time_low; /* TIMERAWH, TIMERAWL */
    uint32_t reserved[2];
    volatile uint32_t fired; /* 0x34, INTR: 1 written clears */
    volatile uint32_t allow; /* 0x38, INTE */
};
_Static_assert(sizeof(struct hrlp_rp_timer_registers) == 0x3c, "a register is not where it is");

#define HRLP_RP_TIMER ((struct hrlp_rp_timer_registers *)0x40054000u)
#define HRLP_RP_TIMER_ALARMS 4u

#endif
