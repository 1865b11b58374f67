/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_RING_CONTROLLER_H
#define HRLP_RING_CONTROLLER_H

#include "hrlp_clock.h"
#include "hrlp_irq.h"
#include <stdint.h>

/* What kernel/trace asks of this processor. The kernel's lock masks all interrupts here. */
typedef hrlp_irq_state hrlp_ring_state;

static inline hrlp_ring_state hrlp_ring_lock(void)
{
    return hrlp_irq_lock();
}

static inline void hrlp_ring_unlock(hrlp_ring_state state)
{
    hrlp_irq_unlock(state);
}

/*
 * Armv6-M has no DWT_CYCCNT. Where board.toml says so, SysTick counts cycles: 24 bits, and its interrupt, of the
 * highest priority, counts their wraps above them (stamps.c). An interrupt every 2^24 cycles is what that costs, which
 * no record shows. Neither the system nor its clock may have SysTick then, which the tool sees to; an nRF51 has none.
 */
#if HRL_TRACE_CYCLES /* as the tool reads it in board.toml */
#define HRLP_ARMV6M_SYSTICK_COUNTS (1u << 24)
#define HRLP_ARMV6M_SYSTICK_VALUE (*(volatile uint32_t *)0xE000E018u)
#define HRLP_ARMV6M_ICSR (*(volatile uint32_t *)0xE000ED04u)
#define HRLP_ARMV6M_PENDSTSET (1u << 26)

extern volatile uint32_t hrlp_ring_wraps; /* times HRLP_ARMV6M_SYSTICK_COUNTS */

void hrlp_ring_start_stamps(void);

/*
 * A wrap that has not been counted shows as pending; the 24 bits are near 0 then, unless they have wrapped since they
 * were read. Context: interrupts masked.
 */
static inline hrl_stamp hrlp_ring_stamp(void)
{
    uint32_t low = (0u - HRLP_ARMV6M_SYSTICK_VALUE) & (HRLP_ARMV6M_SYSTICK_COUNTS - 1u);
    uint32_t high = hrlp_ring_wraps;

    if ((HRLP_ARMV6M_ICSR & HRLP_ARMV6M_PENDSTSET) != 0 && low < HRLP_ARMV6M_SYSTICK_COUNTS / 2u) {
        high += HRLP_ARMV6M_SYSTICK_COUNTS;
    }
    return high | low;
}
#else
static inline void hrlp_ring_start_stamps(void) {}

static inline hrl_stamp hrlp_ring_stamp(void)
{
    return hrlp_clock_read();
}
#endif

/* exception.S */
void hrlp_ring_call(uint32_t number);
void hrlp_ring_returns(void);
void hrlp_ring_service(void);

/* As the compiler makes hrl_gen_body_<task> (hrlp_watched_job.h), without the call of it and of the job. */
#define HRLP_RING_JOB                                                                              \
    __asm__ volatile(".syntax unified\n\t"                                                         \
                     "push {r4, lr}\n\t"                                                           \
                     "movs r0, #128\n\t"                                                           \
                     "lsls r0, r0, #19\n\t"                                                        \
                     "bl hrli_trace_put\n\t"                                                       \
                     "movs r0, #160\n\t"                                                           \
                     "lsls r0, r0, #19\n\t"                                                        \
                     "bl hrli_trace_put\n\t"                                                       \
                     "pop {r4, r5}"                                                                \
                     :                                                                             \
                     :                                                                             \
                     : "r0", "r1", "r2", "r3", "r4", "r5", "ip", "lr", "cc", "memory");

#endif
