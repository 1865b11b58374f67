/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "armv7m_switch.h"

/* A thread that does not run has r4-r11 on its stack, below the frame that the hardware pushed. */
enum { SAVED_WORDS = 8 };

uint32_t *hrlp_armv7m_push_saved(uint32_t *frame)
{
    return frame - SAVED_WORDS;
}

__attribute__((naked)) void PendSV_Handler(void)
{
    __asm__ volatile(HRLP_ARMV7M_SWITCH("hrli_cpu_switch"));
}
