/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SVC, of the same priority, by which a thread yields. Linked only if hrlp_cpu_yield asks by the name hrlp_svc, as
 * the vector table has a weak one already.
 */
#include "armv6m_switch.inc"

    .syntax unified
    .thumb
    .section .text.SVC_Handler, "ax", %progbits
    .balign 4
    .global SVC_Handler
    .type SVC_Handler, %function
    .thumb_func
SVC_Handler:
    .global hrlp_svc
hrlp_svc:
    switch_by hrli_cpu_yield
    .size SVC_Handler, . - SVC_Handler
