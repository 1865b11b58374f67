/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "armv7m_switch.h"
#include "hrlp_cpu.h"

/*
 * A thread that does not run has r4-r11 and EXC_RETURN on its stack, below the frame that the hardware
 * pushed. EXC_RETURN is the same for all, but saving it there takes no instruction of its own.
 */
enum { SAVED_WORDS = 9 };

uint32_t *hrlp_cortex_m_push_saved(uint32_t *frame)
{
    frame[-1] = HRLP_ARMV7M_EXC_RETURN;
    return frame - SAVED_WORDS;
}

__attribute__((naked)) void PendSV_Handler(void)
{
    __asm__ volatile(HRLP_ARMV7M_SWITCH("hrli_cpu_switch"));
}
