/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */

/* Prints; counts an environment call, an access fault and the timer's interrupt; ends with status 3 of 3. */
#include "board.inc"

    .text
    .option norvc
vectors:
    j on_exception
    .rept 6
    j lost
    .endr
    j on_timer
    .rept 24
    j lost
    .endr
    .option rvc

    .org 0x80
    .globl _start
_start:
    li sp, 0x80010000
    la t0, vectors
    csrw mtvec, t0
    li s1, 0
    la s0, text
    li t1, CONSOLE
1:  lbu t0, 0(s0)
    beqz t0, 2f
    sb t0, 0(t1)
    addi s0, s0, 1
    j 1b
2:  ecall
    li t0, 0x20000000 /* nothing is there */
    .option norvc
    lw t1, 0(t0)
    .option rvc
    store 0, 0x02004004
    store 500, 0x02004000
    li t0, 0x80
    csrw mie, t0
    csrsi mstatus, MIE
    wfi
    store 0x12345678, TRACE
    li t0, FINISHER
    slli t1, s1, 16
    li t2, 0x3333
    or t1, t1, t2
    sw t1, 0(t0)
    j .

on_exception: /* goes on behind the instruction, of four bytes */
    csrr t2, mepc
    addi t2, t2, 4
    csrw mepc, t2
    addi s1, s1, 1
    mret

on_timer:
    addi s1, s1, 1
    li t0, 0x80
    csrc mie, t0
    mret

lost:
    finish 99

text:
    .asciz "hello\n"
