/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_rv32_frame.inc"
#include "hrlp_rv32_entry.inc"

/* Handlers that change all registers of their mask, which has a4 and a5, and t0; each notes how deep it is. */
    .macro handler number, mask, missing=0
    .section .text.Cell_Handler\number\()_entry, "ax", %progbits
    .global Cell_Handler\number\()_entry
    basic_entry Cell_Handler\number\()_entry, Cell_Handler\number, ((\mask) & ~(\missing)), THREADS

    .section .text.Cell_Handler\number, "ax", %progbits
    .global Cell_Handler\number
    .type Cell_Handler\number, %function
Cell_Handler\number:
    la a5, nesting_depth
    lw a4, 0(a5)
    addi a4, a4, 1
    sw a4, 0(a5)
    slli a4, a4, 2
    add a4, a4, a5 /* how often each depth was reached follows the depth */
    lw a5, 0(a4)
    addi a5, a5, 1
    sw a5, 0(a4)
    lw a4, nesting_spin + 4 * \number
1:  addi a4, a4, -1
    bgtz a4, 1b
    .irp register, 5,6,7,10,11,12,13,14,15,16,17,28,29,30,31
    .if (\mask) >> \register & 1
    li x\register, 0x5A5A5A00 + \number
    .endif
    .endr
    la a5, nesting_depth
    lw a4, 0(a5)
    addi a4, a4, -1
    sw a4, 0(a5)
    ret
    .size Cell_Handler\number, . - Cell_Handler\number
    .endm

    handler 0, 0x0000C000
    handler 1, 0xF003FCE2
    handler 2, 0x0000C0C0
    handler 3, 0x0000FC00, MISSING
    handler 4, 0xF000C000
    handler 5, 0x0003FC40

/*
 * void nesting_background(const uint32_t *before, uint32_t *after, void *stack): fills every register but
 * sp and gp, lets time pass, and notes what they are; on `stack`.
 */
    .section .text.nesting_background, "ax", %progbits
    .global nesting_background
    .type nesting_background, %function
nesting_background:
    addi a2, a2, -80
    sw sp, 0(a2)
    sw ra, 4(a2)
    sw a1, 8(a2)
    sw tp, 12(a2)
    .set place, 16
    .irp register, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
    sw \register, place(a2)
    .set place, place + 4
    .endr
    mv sp, a2
    .irp register, 1,4,5,6,7,8,9,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,10
    lw x\register, 4 * \register(a0)
    .endr
    .rept 6
    nop
    nop
    div zero, s1, s2
    .endr
    /* Nothing can be addressed without a register: on the stack, a0 first. */
    addi sp, sp, -16
    sw a0, 0(sp)
    lw a0, 24(sp)
    .irp register, 1,4,5,6,7,8,9,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    sw x\register, 4 * \register(a0)
    .endr
    lw a1, 0(sp)
    sw a1, 40(a0)
    addi sp, sp, 16
    .set place, 16
    .irp register, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
    lw \register, place(sp)
    .set place, place + 4
    .endr
    lw tp, 12(sp)
    lw ra, 4(sp)
    lw sp, 0(sp)
    ret
    .size nesting_background, . - nesting_background
