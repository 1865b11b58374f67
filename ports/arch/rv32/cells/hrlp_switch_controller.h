/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_SWITCH_CONTROLLER_H
#define HRLP_SWITCH_CONTROLLER_H

#include "hrlp_irq.h"

/* Words of the trap frame (entry.h). The i-th of a0-a7, t0-t6; t0 and ra are where the slot puts them. */
#define HRLP_RV32_FRAME_RA 18
#define HRLP_RV32_FRAME_WORD(i) ((i) < 8 ? 2 + (i) : (i) == 8 ? 19 : 1 + (i))

/*
 * The switch is the software source of the highest number, at the lowest priority. Raised by who may
 * be interrupted, it comes before the second instruction behind the store.
 */
static inline void hrlp_cpu_request_switch(void)
{
    HRLP_RV32_RAISE = 1u << HRLP_RV32_DISPATCH_SOURCE;
    __asm__ volatile("nop\n\tnop" : : : "memory");
}

/* switch.S: what the controller answers a claim of it with. */
void hrlp_switch_entry(void);

/* Lets the dispatch through. Context: start-up, threads are about to run. */
static inline void hrlp_rv32_start_dispatch(void)
{
    hrlp_rv32_enable(HRLP_RV32_DISPATCH_SOURCE, 1, hrlp_switch_entry);
}

static inline bool hrlp_cpu_in_interrupt(void)
{
    return HRLP_RV32_ACTIVE_PRIORITY != 0;
}

#endif
