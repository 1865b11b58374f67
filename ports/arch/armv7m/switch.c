/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "armv7m_switch.h"
#include "hrlp_upcalls.h"

/* A thread that does not run has r4-r11 on its stack, below the frame that the hardware pushed. */
enum { SAVED_WORDS = 8 };

uint32_t *hrlp_armv7m_push_saved(uint32_t *frame)
{
    return frame - SAVED_WORDS;
}

#define SWITCH(choose)                                                                             \
    "mrs r0, psp\n\t"                                                                              \
    "stmdb r0!, {r4-r11}\n\t"                                                                      \
    "push {r3, lr}\n\t"                                                                            \
    "bl " choose "\n\t"                                                                            \
    "pop {r3, lr}\n\t"                                                                             \
    "ldmia r0!, {r4-r11}\n\t"                                                                      \
    "msr psp, r0\n\t"                                                                              \
    "bx lr"

__attribute__((naked)) void PendSV_Handler(void)
{
    __asm__ volatile(SWITCH("hrli_cpu_switch"));
}

__attribute__((naked)) void SVC_Handler(void)
{
    __asm__ volatile(SWITCH("hrli_cpu_yield"));
}
