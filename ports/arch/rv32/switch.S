/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one place where interrupts enter and leave.
 *
 * Traps do not nest: mstatus.MIE is 0 from the entry to mret, and faults do not return. So every trap
 * interrupted a thread whose interrupts were enabled, mstatus is the same for all of them and need not be
 * kept, and one stack serves all handlers.
 *
 * A thread in a trap has on its stack what a called function may destroy (TRAP_FRAME bytes: mepc, ra,
 * a0-a7, t0-t6); one that does not run has s0-s11 below that. cpu.c knows mepc, ra and a0.
 *
 * The switch is the software interrupt, so that it waits until the lock is released and until no handler
 * runs. A handler that asks for it gets it at its end, without another trap. Between two lines here
 * nothing can come: what interrupts meanwhile is taken after mret.
 */
    .equ TRAP_FRAME, 80
    .equ SAVED, 48
    .equ MSIP, 0x02000000
    .equ MIP_MSIP, 8

    .macro save_trap_frame
    addi sp, sp, -TRAP_FRAME
    sw ra, 4(sp)
    sw a0, 8(sp)
    csrr a0, mepc
    sw a0, 0(sp)
    sw a1, 12(sp)
    sw a2, 16(sp)
    sw a3, 20(sp)
    sw a4, 24(sp)
    sw a5, 28(sp)
    sw a6, 32(sp)
    sw a7, 36(sp)
    sw t0, 40(sp)
    sw t1, 44(sp)
    sw t2, 48(sp)
    sw t3, 52(sp)
    sw t4, 56(sp)
    sw t5, 60(sp)
    sw t6, 64(sp)
    .endm

    .macro return_from_trap
    lw a0, 0(sp)
    lw ra, 4(sp)
    csrw mepc, a0
    lw a0, 8(sp)
    lw a1, 12(sp)
    lw a2, 16(sp)
    lw a3, 20(sp)
    lw a4, 24(sp)
    lw a5, 28(sp)
    lw a6, 32(sp)
    lw a7, 36(sp)
    lw t0, 40(sp)
    lw t1, 44(sp)
    lw t2, 48(sp)
    lw t3, 52(sp)
    lw t4, 56(sp)
    lw t5, 60(sp)
    lw t6, 64(sp)
    addi sp, sp, TRAP_FRAME
    mret
    .endm

/* mtvec points here, vectored: cause n enters at 4 n. */
    .section .text.hrlp_vectors, "ax", %progbits
    .balign 256
    .global hrlp_vectors, MachineTimer_Handler_entry
    .type hrlp_vectors, %function
    .option push
    .option norvc
hrlp_vectors:
    .rept 3
    j hrlp_trap_fault
    .endr
    j hrlp_switch_entry /* 3: software */
    .rept 3
    j hrlp_trap_fault
    .endr
MachineTimer_Handler_entry:
    j hrlp_timer_entry /* 7 */
    .rept 4
    j hrlp_trap_fault
    .endr
    .option pop
    .size hrlp_vectors, . - hrlp_vectors

    .section .text.hrlp_timer_entry, "ax", %progbits
    .balign 4
    .type hrlp_timer_entry, %function
hrlp_timer_entry:
    save_trap_frame
    csrw mscratch, sp
    la sp, hrl_link_main_stack_top
    call MachineTimer_Handler
    csrr sp, mscratch
    csrw mscratch, zero
    csrr a0, mip
    andi a0, a0, MIP_MSIP
    bnez a0, hrlp_switch
    return_from_trap
    .size hrlp_timer_entry, . - hrlp_timer_entry

    .section .text.hrlp_switch_entry, "ax", %progbits
    .balign 4
    .global hrlp_switch_entry
    .type hrlp_switch_entry, %function
hrlp_switch_entry:
    save_trap_frame
hrlp_switch: /* may be entered a second time by a slow CLINT, which does no harm */
    li a0, MSIP
    sw zero, 0(a0)
    la a1, hrli_cpu_switch
hrlp_switch_by: /* the upcall in a1, which chooses the thread */
    addi sp, sp, -SAVED
    sw s0, 0(sp)
    sw s1, 4(sp)
    sw s2, 8(sp)
    sw s3, 12(sp)
    sw s4, 16(sp)
    sw s5, 20(sp)
    sw s6, 24(sp)
    sw s7, 28(sp)
    sw s8, 32(sp)
    sw s9, 36(sp)
    sw s10, 40(sp)
    sw s11, 44(sp)
    mv a0, sp
    la sp, hrl_link_main_stack_top
    jalr a1
    mv sp, a0
    lw s0, 0(sp)
    lw s1, 4(sp)
    lw s2, 8(sp)
    lw s3, 12(sp)
    lw s4, 16(sp)
    lw s5, 20(sp)
    lw s6, 24(sp)
    lw s7, 28(sp)
    lw s8, 32(sp)
    lw s9, 36(sp)
    lw s10, 40(sp)
    lw s11, 44(sp)
    addi sp, sp, SAVED
    return_from_trap
    .size hrlp_switch_entry, . - hrlp_switch_entry

/*
 * void hrlp_rv32_yield(void): a call looks like a trap that came between it and what follows it. mret takes
 * MIE from MPIE, and the privilege from MPP, which a trap would have set.
 */
    .equ MSTATUS_MIE, 8
    .equ MSTATUS_MPP_MPIE, 0x1880

    .section .text.hrlp_rv32_yield, "ax", %progbits
    .balign 4
    .global hrlp_rv32_yield
    .type hrlp_rv32_yield, %function
hrlp_rv32_yield:
    csrci mstatus, MSTATUS_MIE
    li a0, MSTATUS_MPP_MPIE
    csrs mstatus, a0
    addi sp, sp, -TRAP_FRAME
    sw ra, 0(sp)
    sw ra, 4(sp)
    la a1, hrli_cpu_yield
    j hrlp_switch_by
    .size hrlp_rv32_yield, . - hrlp_rv32_yield

/* Faults, and every interrupt that nobody handles. The thread's stack may be what is broken. */
    .section .text.hrlp_trap_fault, "ax", %progbits
    .balign 4
    .weak MachineTimer_Handler
    .type hrlp_trap_fault, %function
hrlp_trap_fault:
MachineTimer_Handler:
    csrw mscratch, sp
    la sp, hrl_link_main_stack_top
    save_trap_frame
    mv a0, sp
    j hrlp_fault_report
    .size hrlp_trap_fault, . - hrlp_trap_fault
