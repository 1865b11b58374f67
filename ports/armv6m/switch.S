/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PendSV, the lowest-priority exception: it runs when all handlers are done and all releases are in.
 */
#include "armv6m_switch.inc"

    .syntax unified
    .thumb
    .section .text.PendSV_Handler, "ax", %progbits
    .balign 4
    .global PendSV_Handler
    .type PendSV_Handler, %function
    .thumb_func
PendSV_Handler:
    switch_by hrli_cpu_switch
    .size PendSV_Handler, . - PendSV_Handler
