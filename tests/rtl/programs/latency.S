/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */

/* A cell interrupts a loop of BACKGROUND, at all phases: each period is a cycle longer than the one before. */
#include "board.inc"

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
    store_address handler, HANDLER(SOURCE(0))
    store 9, PRIORITY(SOURCE(0))
    store 1, ENABLE(2)
    store 503, CELL(0)+4
    store 3, CELL(0)+8
    li t0, MEI
    csrw mie, t0
    csrsi mstatus, MIE
    li s0, 0
    li s1, CELL(0)
    li a1, 0x7fffffff
    li a2, 3
    li a3, 0x80008000
loop:
    BACKGROUND
    j loop

handler:
    addi s0, s0, 1 /* the period is 503 to 566 cycles, in turn */
    andi s0, s0, 63
    addi t0, s0, 503
    sw t0, 4(s1)
    sw zero, COMPLETE(zero)
    lw t0, -4(sp)
    mret

lost:
    finish 99
