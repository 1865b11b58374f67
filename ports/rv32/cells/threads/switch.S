/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The switch is the source that is least urgent, so that it waits for all handlers. It runs on the
 * main stack with interrupts enabled; the threshold keeps out what is as little urgent, itself among
 * them.
 */
#include "hrlp_rv32_frame.inc"
#include "hrlp_rv32_entry.inc"

/*
 * Where a thread's saved stack pointer points: s0-s11 and, in the second word of the trap frame
 * behind them, where to go on; 0: with the registers.
 */
    .equ RESUME, SAVED + 4
    .equ LEFT, 64

    .macro each_saved instruction, base
    \instruction s0, 0(\base)
    each_behind_s0 \instruction, \base
    .endm

    .macro each_behind_s0 instruction, base
    .set place, 4
    .irp register, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
    \instruction \register, place(\base)
    .set place, place + 4
    .endr
    .endm

/* The entry of lines with a handler that the application attached. */
    .section .text.hrlp_rv32_line_entry, "ax", %progbits
    .global hrlp_rv32_line_entry
    kernel_entry hrlp_rv32_line_entry, hrlp_rv32_line, 1

/* Interrupts go off, and mstatus is as the mret of load_thread wants it, which other traps have changed meanwhile. */
    .macro mask_for_mret
    li t0, MSTATUS_MPP_MPIE
    csrw mstatus, t0
    .endm

/*
 * From a thread's stack, with a trap frame on it, to \upcall, which chooses the thread that goes on: its stack is in a0
 * behind this, and interrupts are masked. This and load_thread stand in each place that needs them, as a jump
 * would cost every switch two cycles.
 */
    .macro choose_by upcall
    addi a0, sp, -SAVED
    mv sp, gp
    csrsi mstatus, MSTATUS_MIE
    sw zero, RESUME(a0)
    each_saved sw, a0
    .option push
    .option norvc /* what follows the call is at a word then, as \upcall is, and fetched at once */
    jal \upcall
    .option pop
    mask_for_mret
    sw zero, THRESHOLD(zero)
    .endm

/*
 * The thread with the stack a0 goes on. The branch would wait for what is loaded first; a thread that goes on
 * at RESUME knows nothing of s0.
 */
    .macro load_thread
    lw t0, RESUME(a0)
    lw s0, 0(a0)
    bnez t0, hrlp_switch_resume
    each_behind_s0 lw, a0
    addi sp, a0, SAVED
    return_with_status
    .endm

    .section .text.hrlp_switch_entry, "ax", %progbits
    .balign 4
    .global hrlp_switch_entry, hrlp_switch_follows, hrlp_switch_ends, hrlp_switch_load, hrlp_rv32_leave, hrlp_rv32_begin
    .type hrlp_switch_entry, %function
hrlp_switch_entry:
    save_trap_frame
    li t0, 1
    sw t0, THRESHOLD(zero)
    sw zero, COMPLETE(zero)
    choose_by hrli_cpu_switch
    load_thread

/* From the end of a handler, with its source still active. Not while a thread keeps some out. */
    .balign 4
hrlp_switch_follows:
    lw t0, THRESHOLD(zero)
    bnez t0, hrlp_switch_later
    lui t0, 0x80000
    sw t0, LOWER(zero)
    li t0, 1
    sw t0, THRESHOLD(zero)
    sw zero, COMPLETE(zero)
    choose_by hrli_cpu_switch
    j hrlp_switch_load

/* A handler returns here, interrupts masked since its trap: a0 is the thread that it has chosen, or 0, a1 where it came from. */
hrlp_switch_ends:
    beqz a0, hrlp_switch_back
    sw zero, RESUME(a1)
    each_saved sw, a1
    sw zero, COMPLETE(zero)
hrlp_switch_load:
    load_thread
hrlp_switch_resume:
    mv sp, a0
    jr t0
hrlp_switch_back:
    mv sp, a1
    lw t0, RAISE(zero)
    bltu sp, gp, hrlp_switch_later
    bltz t0, hrlp_switch_follows
hrlp_switch_later:
    sw zero, COMPLETE(zero)
    return_from_trap

/*
 * A thread goes of itself, and has nothing in registers that it needs again but a0 (hrlp_cpu_leave):
 * t0 is where it goes on, with interrupts masked and its stack as it is left here.
 */
hrlp_rv32_leave:
    csrci mstatus, MSTATUS_MIE
    addi sp, sp, -LEFT
    sw t0, RESUME(sp)
    sw a0, RESUME + 4(sp)
    li t0, 1
    sw t0, THRESHOLD(zero)
    mv a0, sp
    mv sp, gp
    csrsi mstatus, MSTATUS_MIE
    call hrli_cpu_switch
    mask_for_mret
    sw zero, THRESHOLD(zero)
    j hrlp_switch_load
/* A thread that has not run yet: what hrlp_cpu_stack_prepare left (cpu.c). */
hrlp_rv32_begin:
    lw a0, SAVED + 8(sp)
    lw t0, SAVED(sp)
    lw ra, SAVED + FRAME_RA(sp)
    addi sp, sp, SAVED + TRAP_FRAME
    csrsi mstatus, MSTATUS_MIE
    jr t0
    .size hrlp_switch_entry, . - hrlp_switch_entry

/*
 * As hrlp_rv32_leave, with interrupts masked: the stack goes into the word at a1, and the thread with the stack
 * a0 goes on (hrlp_cpu_leave_to).
 */
    .section .text.hrlp_rv32_leave_to, "ax", %progbits
    .balign 4
    .global hrlp_rv32_leave_to
    .type hrlp_rv32_leave_to, %function
hrlp_rv32_leave_to:
    addi sp, sp, -LEFT
    sw t0, RESUME(sp)
    sw sp, 0(a1)
    mask_for_mret
    j hrlp_switch_load
    .size hrlp_rv32_leave_to, . - hrlp_rv32_leave_to

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
    choose_by hrli_cpu_yield
    j hrlp_switch_load
    .size hrlp_rv32_yield, . - hrlp_rv32_yield
