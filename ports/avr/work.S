/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * void hrl_work(uint32_t turns): the body of tasks with `work = N`, the same object in every kernel
 * that is compared. Six cycles a turn; at least one turn.
 */
    .section .text.hrl_work, "ax", @progbits
    .global hrl_work
    .type hrl_work, @function
hrl_work:
    subi r22, 1
    sbci r23, 0
    sbci r24, 0
    sbci r25, 0 /* leaves Z set only if all four are 0 */
    brne hrl_work
    ret
    .size hrl_work, . - hrl_work
