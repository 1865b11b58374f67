/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_SWITCH_CONTROLLER_H
#define HRLP_SWITCH_CONTROLLER_H

#include <stdint.h>

#if HRL_CORES > 1 /* as the CLINT's is the doorbell then */
/* The supervisor's software interrupt, which machine mode takes: a bit of mip. */
#define HRLP_RV32_REQUEST_SWITCH() __asm__ volatile("csrsi mip, 2" : : : "memory")

static inline bool hrlp_rv32_switch_is_pending(void)
{
    uint32_t pending;

    __asm__ volatile("csrr %0, mip" : "=r"(pending) : : "memory");
    return (pending & 2u) != 0;
}
#else
/* The CLINT's software interrupt of hart 0: pending while the register is 1. */
#define HRLP_RV32_OWN_MSIP (*(volatile uint32_t *)0x02000000u)
#define HRLP_RV32_REQUEST_SWITCH() (HRLP_RV32_OWN_MSIP = 1)

static inline bool hrlp_rv32_switch_is_pending(void)
{
    return HRLP_RV32_OWN_MSIP != 0;
}
#endif

/* Words of the trap frame: mepc, ra, a0-a7, t0-t6. The i-th of the latter fifteen. */
#define HRLP_RV32_FRAME_RA 1
#define HRLP_RV32_FRAME_WORD(i) (2 + (i))

/*
 * The store reaches the CLINT some time later; code that may be interrupted reads it back until the
 * interrupt was taken and the switch has cleared it.
 */
static inline void hrlp_cpu_request_switch(void)
{
    uint32_t status;

    HRLP_RV32_REQUEST_SWITCH();
    __asm__ volatile("csrr %0, mstatus" : "=r"(status) : : "memory");
    if ((status & (1u << 3)) != 0) {
        while (hrlp_rv32_switch_is_pending()) {
        }
    }
}

/* Handlers run with interrupts masked. */
static inline void hrlp_cpu_request_switch_at_end(void)
{
    HRLP_RV32_REQUEST_SWITCH();
}

/* Enabled from reset on. */
static inline void hrlp_rv32_start_dispatch(void) {}

/* mscratch holds the interrupted stack while a handler runs, else 0. */
static inline bool hrlp_cpu_in_interrupt(void)
{
    uint32_t stack;

    __asm__ volatile("csrr %0, mscratch" : "=r"(stack));
    return stack != 0;
}

#include "hrlp_no_leave.h"

#endif
