/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLINT_REGISTERS_H
#define HRLP_CLINT_REGISTERS_H

#include "hrlp_cores.h"
#include "hrlp_per_core.h"
#include <stdint.h>

/*
 * RISC-V core-local interruptor: a counter of 64 bits, and for each hart one number that it is
 * compared with; the hart's timer interrupt is up while the counter is not less (RISC-V ACLINT,
 * chapter 2).
 *
 * The one comparison of a hart serves two: the clock's wrap of 32 bits and the cell. It is set to
 * what comes first. An absolute comparison catches what has passed already, and needs no correction
 * for the time that setting it takes.
 */
#define HRLP_CLINT_COMPARE                                                                         \
    ((volatile uint32_t *)0x02004000u + 2u * hrlp_core_number()) /* low half, high half */
#define HRLP_CLINT_TIME ((volatile uint32_t *)0x0200BFF8u)

#define HRLP_CLINT_NEVER UINT64_MAX

enum { HRLP_CLINT_LINE = -7 };                      /* the timer interrupt of a hart (hrlp_irq.h) */
enum { HRLP_CLINT_CELL = 0, HRLP_CLINT_CLOCK = 1 }; /* the channels */

struct hrlp_clint {
    uint64_t due;            /* the cell's instant, or HRLP_CLINT_NEVER */
    uint32_t period;         /* of the cell; 0: once */
    volatile uint32_t wraps; /* of the clock's low half that have been acknowledged */
};

extern HRLP_PER_CORE struct hrlp_clint hrlp_clint;

static inline uint64_t hrlp_clint_now(void)
{
    uint32_t high, low;

    do {
        high = HRLP_CLINT_TIME[1];
        low = HRLP_CLINT_TIME[0];
    } while (high != HRLP_CLINT_TIME[1]);
    return (uint64_t)high << 32 | low;
}

/*
 * Interrupt at the cell's instant or at the wrap, whichever comes first. Context: interrupts
 * masked.
 */
static inline void hrlp_clint_set_compare(void)
{
    uint64_t first = (uint64_t)(hrlp_clint.wraps + 1u) << 32;

    if (hrlp_clint.due < first) {
        first = hrlp_clint.due;
    }
    HRLP_CLINT_COMPARE[1] = UINT32_MAX; /* so that no half of it is in the past */
    HRLP_CLINT_COMPARE[0] = (uint32_t)first;
    HRLP_CLINT_COMPARE[1] = (uint32_t)(first >> 32);
}

#endif
