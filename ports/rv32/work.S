/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * void hrl_work(uint32_t turns): the body of tasks with `work = N`, the same object in every kernel
 * that is compared. Two instructions a turn; at least one turn.
 */
    .section .text.hrl_work, "ax", %progbits
    .balign 4
    .global hrl_work
    .type hrl_work, %function
hrl_work:
    addi a0, a0, -1
    bnez a0, hrl_work
    ret
    .size hrl_work, . - hrl_work
