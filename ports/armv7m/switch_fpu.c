/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "armv7m_switch.h"
#include "hrlp_cpu.h"

/*
 * A thread that does not run has on its stack, below the frame that the hardware pushed: s16-s31 if
 * it has used the floating-point unit, then r4-r11 and EXC_RETURN. Bit 4 of EXC_RETURN, kept for
 * each thread, is 0 if it has; then the hardware's frame has room for s0-s15, and storing s16 makes
 * it fill that room first (lazy stacking, Armv7-M ARM, B1.5.7). A thread that computes with
 * integers pays for neither.
 */
enum { SAVED_WORDS = 9 };

uint32_t *hrlp_cortex_m_push_saved(uint32_t *frame)
{
    frame[-1] = HRLP_ARMV7M_EXC_RETURN;
    return frame - SAVED_WORDS;
}

__attribute__((naked)) void PendSV_Handler(void)
{
    __asm__ volatile(HRLP_ARMV7M_SWITCH_FPU("hrli_cpu_switch"));
}
