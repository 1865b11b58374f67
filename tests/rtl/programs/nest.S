/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Two cells and two bodies, called by handlers that may nest: cell 1 is the more urgent. The first instants are
 * apart from each other; then cell 1 meets the body of cell 0 again and again. Never ends by itself.
 */
#include "board.inc"

    .macro handler name, body
    .globl \name
\name:
    addi sp, sp, -80 /* the entry has stored t0 at 76(sp) */
    sw t1, 72(sp)
    sw ra, 68(sp)
    csrr t0, mepc
    sw t0, 64(sp)
    csrsi mstatus, MIE
    jal \body
    li t0, MASKED
    csrw mstatus, t0
    lw t0, 64(sp)
    csrw mepc, t0
    lw ra, 68(sp)
    lw t1, 72(sp)
    sw zero, COMPLETE(zero)
    lw t0, 76(sp)
    addi sp, sp, 80
    mret
    .endm

    .text
    .option norvc
vectors:
    .rept 11
    j lost
    .endr
entry:
    sw t0, -4(sp)
    lw t0, CLAIM(zero)
    jr t0
    .option rvc

    .org 0x80
    .globl _start
_start:
    li sp, 0x80010000
    la t0, vectors
    csrw mtvec, t0
    store_address low, HANDLER(SOURCE(0))
    store_address high, HANDLER(SOURCE(1))
    store 3, PRIORITY(SOURCE(0))
    store 9, PRIORITY(SOURCE(1))
    store 3, ENABLE(2)
    store 1000, CELL(0)+4
    store 700, CELL(1)+4
    store 3, CELL(0)+8
    store 3, CELL(1)+8
    li t0, MEI
    csrw mie, t0
    csrsi mstatus, MIE
    j idle

handler low, low_body
handler high, high_body
lost:
    finish 99
kernel_end:

idle:
    j idle
idle_end:

low_body: /* 2 + 15 * 3 + 1 instructions; a division that cannot be interrupted in every turn */
    li t0, 15
    li t1, 7
1:  div t1, t0, t0
    addi t0, t0, -1
    bnez t0, 1b
low_body_end:
    ret
high_body: /* 9 instructions */
    .rept 8
    addi t0, t0, 1
    .endr
high_body_end:
    ret
bodies_end:
