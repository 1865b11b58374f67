/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_RING_CONTROLLER_H
#define HRLP_RING_CONTROLLER_H

#include "hrlp_clock.h"
#include <stdint.h>

/* What kernel/trace asks of this processor: PRIMASK, as an application's interrupts may be above the kernel's lock. */
typedef uint32_t hrlp_ring_state;

static inline hrlp_ring_state hrlp_ring_lock(void)
{
    hrlp_ring_state state;

    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(state) : : "memory");
    return state;
}

static inline void hrlp_ring_unlock(hrlp_ring_state state)
{
    __asm__ volatile("msr primask, %0" : : "r"(state) : "memory");
}

/*
 * DWT_CYCCNT counts cycles where board.toml says so; DEMCR lets it run (Armv7-M ARM, C1.6.5, C1.8). QEMU does not have
 * it: there, and on boards that say nothing, a stamp is the clock's.
 */
#if HRL_TRACE_CYCLES /* as the tool reads it in board.toml */
#define HRLP_ARMV7M_DEMCR (*(volatile uint32_t *)0xE000EDFCu)
#define HRLP_ARMV7M_DWT_LAR (*(volatile uint32_t *)0xE0001FB0u)
#define HRLP_ARMV7M_DWT_CTRL (*(volatile uint32_t *)0xE0001000u)
#define HRLP_ARMV7M_DWT_CYCCNT (*(volatile uint32_t *)0xE0001004u)

static inline void hrlp_ring_start_stamps(void)
{
    HRLP_ARMV7M_DEMCR |= 1u << 24;
    HRLP_ARMV7M_DWT_LAR = 0xC5ACCE55u; /* a Cortex-M7 locks it; others ignore this */
    HRLP_ARMV7M_DWT_CYCCNT = 0;
    HRLP_ARMV7M_DWT_CTRL |= 1u;
}

static inline hrl_stamp hrlp_ring_stamp(void)
{
    return HRLP_ARMV7M_DWT_CYCCNT;
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
    __asm__ volatile("push {r3, lr}\n\t"                                                           \
                     "mov.w r0, #0x04000000\n\t"                                                   \
                     "bl hrli_trace_put\n\t"                                                       \
                     "mov.w r0, #0x05000000\n\t"                                                   \
                     "bl hrli_trace_put\n\t"                                                       \
                     "pop {r3, lr}"                                                                \
                     :                                                                             \
                     :                                                                             \
                     : "r0", "r1", "r2", "ip", "lr", "cc", "memory");

#endif
