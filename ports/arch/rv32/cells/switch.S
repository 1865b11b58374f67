/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The switch is the source that is least urgent, so that it waits for all handlers. It runs on the
 * main stack with interrupts enabled; the threshold keeps out what is as little urgent, itself among
 * them.
 */
#include "hrlp_rv32_frame.inc"
#include "hrlp_rv32_entry.inc"

/* Of the lines whose handler the application attached.. */
    .section .text.hrlp_rv32_line_entry, "ax", %progbits
    .global hrlp_rv32_line_entry
    kernel_entry hrlp_rv32_line_entry, hrlp_rv32_line, 1

    .section .text.hrlp_switch_entry, "ax", %progbits
    .balign 4
    .global hrlp_switch_entry, hrlp_switch_follows
    .type hrlp_switch_entry, %function
hrlp_switch_entry:
    save_trap_frame
    j hrlp_switch
/* From the end of a handler, whose source is active still. Not while a thread keeps some out. */
hrlp_switch_follows:
    lw t0, THRESHOLD(zero)
    bnez t0, hrlp_switch_later
    lui t0, 0x80000
    sw t0, LOWER(zero)
hrlp_switch:
    li t0, 1
    sw t0, THRESHOLD(zero)
    sw zero, COMPLETE(zero)
    la a1, hrli_cpu_switch
hrlp_switch_by: /* the upcall in a1, which chooses the thread */
    addi a0, sp, -SAVED
    mv sp, gp
    csrsi mstatus, MSTATUS_MIE
    .set place, 0
    .irp register, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
    sw \register, place(a0)
    .set place, place + 4
    .endr
    jalr a1
    .set place, 0
    .irp register, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
    lw \register, place(a0)
    .set place, place + 4
    .endr
    csrci mstatus, MSTATUS_MIE
    sw zero, THRESHOLD(zero)
    addi sp, a0, SAVED
    return_from_trap
hrlp_switch_later:
    sw zero, COMPLETE(zero)
    return_from_trap
    .size hrlp_switch_entry, . - hrlp_switch_entry

/*
 * void hrlp_rv32_yield(void): a call looks like a trap that came between it and what follows it.
 */
    .section .text.hrlp_rv32_yield, "ax", %progbits
    .balign 4
    .global hrlp_rv32_yield
    .type hrlp_rv32_yield, %function
hrlp_rv32_yield:
    csrci mstatus, MSTATUS_MIE
    li t0, 1
    sw t0, THRESHOLD(zero)
    addi sp, sp, -TRAP_FRAME
    sw ra, 0(sp)
    sw ra, FRAME_RA(sp)
    la a1, hrli_cpu_yield
    j hrlp_switch_by
    .size hrlp_rv32_yield, . - hrlp_rv32_yield
