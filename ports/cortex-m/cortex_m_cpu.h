/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CORTEX_M_CPU_H
#define HRLP_CORTEX_M_CPU_H

#include <stdint.h>

/*
 * The part of hrlp_cpu.h that all Cortex-M share: PendSV and SVC switch, and threads run on the process stack.
 */
#define HRLP_CPU_GIVEN_STACKS true

/* Interrupt Control and State Register: pends PendSV, the lowest-priority exception. */
#define HRLP_CORTEX_M_ICSR (*(volatile uint32_t *)0xE000ED04u)
#define HRLP_CORTEX_M_PENDSVSET (1u << 28)

static inline void hrlp_cpu_request_switch(void)
{
    HRLP_CORTEX_M_ICSR = HRLP_CORTEX_M_PENDSVSET;
    __asm__ volatile("dsb\n\tisb" : : : "memory");
}

/* No barrier: it need not be taken before the handler's end, and may be taken right behind it. */
static inline void hrlp_cpu_request_switch_at_end(void)
{
    HRLP_CORTEX_M_ICSR = HRLP_CORTEX_M_PENDSVSET;
}

/*
 * SVC has PendSV's priority, so that neither preempts the other. The relocation changes no instruction, but
 * has the handler linked, and kept, wherever a thread yields (yield.c).
 */
static inline void hrlp_cpu_yield(void)
{
    __asm__ volatile(".reloc ., R_ARM_NONE, hrlp_svc\n\tsvc 0" : : : "memory");
}

/* IPSR holds the number of the exception that runs; 0 in threads. */
static inline bool hrlp_cpu_in_interrupt(void)
{
    uint32_t exception;

    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    return exception != 0;
}

/* switch.c: puts below a new thread's hardware frame what PendSV_Handler will load from there. */
uint32_t *hrlp_cortex_m_push_saved(uint32_t *frame);

#endif
