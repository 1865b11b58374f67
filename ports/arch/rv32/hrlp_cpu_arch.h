/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CPU_ARCH_H
#define HRLP_CPU_ARCH_H

#include <stdint.h>

#define HRLP_CPU_GIVEN_STACKS true

/* The CLINT's software interrupt of hart 0: pending while the register is 1. */
#define HRLP_RV32_MSIP (*(volatile uint32_t *)0x02000000u)

/*
 * The store reaches the CLINT some time; reading it back, by who may be interrupted, lasts until
 * the interrupt was taken and the switch has cleared it.
 */
static inline void hrlp_cpu_request_switch(void)
{
    uint32_t status;

    HRLP_RV32_MSIP = 1;
    __asm__ volatile("csrr %0, mstatus" : "=r"(status) : : "memory");
    if ((status & (1u << 3)) != 0) {
        while (HRLP_RV32_MSIP != 0) {
        }
    }
}

/* switch.S: a trap that no hardware took. */
void hrlp_rv32_yield(void);

static inline void hrlp_cpu_yield(void)
{
    hrlp_rv32_yield();
}

/* mscratch holds the interrupted stack while a handler runs, else 0. */
static inline bool hrlp_cpu_in_interrupt(void)
{
    uint32_t stack;

    __asm__ volatile("csrr %0, mscratch" : "=r"(stack));
    return stack != 0;
}

/*
 * By halving: RV32IMAC has no instruction for it, and the compiler's library would be charged to
 * bodies (design.md, section 6).
 */
static inline unsigned hrlp_cpu_highest_bit(unsigned bits)
{
    unsigned number = (unsigned)(bits > 0xFFFFu) << 4;
    unsigned step;

    bits >>= number;
    step = (unsigned)(bits > 0xFFu) << 3;
    bits >>= step;
    number |= step;
    step = (unsigned)(bits > 0xFu) << 2;
    bits >>= step;
    number |= step;
    /* 0 to 15 are left: two bits of the result for each, in a word. */
    return number + ((0xFFFFAA50u >> (bits * 2u)) & 3u);
}

#endif
