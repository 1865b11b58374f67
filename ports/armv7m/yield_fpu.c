/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "armv7m_switch.h"

__attribute__((naked)) void SVC_Handler(void)
{
    __asm__ volatile(".global hrlp_svc\nhrlp_svc:\n\t" HRLP_ARMV7M_SWITCH_FPU("hrli_cpu_yield"));
}
