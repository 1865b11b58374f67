/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * void hrl_work(uint32_t turns): the body of tasks with `work = N`, the same object in every kernel
 * that is compared. Two instructions a turn; at least one turn.
 */
    .syntax unified
    .thumb
    .section .text.hrl_work, "ax", %progbits
    .balign 4
    .global hrl_work
    .type hrl_work, %function
hrl_work:
    subs r0, r0, #1
    bne hrl_work
    bx lr
    .size hrl_work, . - hrl_work
