/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one place where interrupts enter and leave.
 *
 * Traps do not nest: mstatus.MIE is 0 from the entry to mret, and faults do not return. So every
 * trap interrupted a thread with interrupts enabled, mstatus is the same for all of them and need
 * not be kept, and one stack serves all handlers.
 *
 * The trap frame (hrlp_rv32_frame.inc) is mepc, ra, a0-a7, t0-t6.
 *
 * The switch is a software interrupt, so that it waits until the lock is released and until no
 * handler runs. A handler that asks for it gets it at its end, without another trap. Between two
 * lines here nothing can come: an interrupt that is raised here is taken after mret.
 */
#include "hrlp_rv32_frame.inc"
#include "hrlp_rv32_start.inc"

    .macro save_trap_frame
    addi sp, sp, -TRAP_FRAME
    sw ra, 4(sp)
    sw a0, 8(sp)
    csrr a0, mepc
    sw a0, 0(sp)
    each sw, 12, a1, a2, a3, a4, a5, a6, a7, t0, t1, t2, t3, t4, t5, t6
    .endm

    .macro return_from_trap
    lw a0, 0(sp)
    lw ra, 4(sp)
    csrw mepc, a0
    each lw, 8, a0, a1, a2, a3, a4, a5, a6, a7, t0, t1, t2, t3, t4, t5, t6
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
#if HRL_CORES > 1 /* as software interrupts are the other cores' */
    j hrlp_trap_fault
    j hrlp_switch_entry /* 1: software, the supervisor's */
    j hrlp_trap_fault
    j hrlp_doorbell_entry /* 3: software */
#else
    j hrlp_trap_fault; j hrlp_trap_fault; j hrlp_trap_fault
    j hrlp_switch_entry /* 3: software */
#endif
    j hrlp_trap_fault; j hrlp_trap_fault; j hrlp_trap_fault
MachineTimer_Handler_entry:
    j hrlp_timer_entry /* 7 */
    j hrlp_trap_fault; j hrlp_trap_fault; j hrlp_trap_fault
    j hrlp_external_entry /* 11 */
    .option pop
    .size hrlp_vectors, . - hrlp_vectors

    .section .text.hrlp_timer_entry, "ax", %progbits
    .balign 4
    .type hrlp_timer_entry, %function
hrlp_timer_entry:
    save_trap_frame
    csrw mscratch, sp
    main_stack
    call MachineTimer_Handler
hrlp_handler_end:
    csrr sp, mscratch
    csrw mscratch, zero
    csrr a0, mip
    andi a0, a0, MIP_SWITCH
    bnez a0, hrlp_switch
    return_from_trap
    .size hrlp_timer_entry, . - hrlp_timer_entry

    .section .text.hrlp_external_entry, "ax", %progbits
    .balign 4
    .type hrlp_external_entry, %function
hrlp_external_entry:
    save_trap_frame
    csrw mscratch, sp
    main_stack
    la ra, hrlp_handler_end
    tail hrlp_rv32_external
    .size hrlp_external_entry, . - hrlp_external_entry

#if HRL_CORES > 1 /* as no other rings one core */
    .section .text.hrlp_doorbell_entry, "ax", %progbits
    .balign 4
    .type hrlp_doorbell_entry, %function
hrlp_doorbell_entry: /* what is rung for from the store on rings again */
    save_trap_frame
    csrw mscratch, sp
    main_stack
    li a0, MSIP
    csrr a1, mhartid
    slli a1, a1, 2
    add a0, a0, a1
    sw zero, 0(a0)
    fence
    la ra, hrlp_handler_end
    tail hrli_core_rung
    .size hrlp_doorbell_entry, . - hrlp_doorbell_entry
#endif

    .section .text.hrlp_switch_entry, "ax", %progbits
    .balign 4
    .global hrlp_switch_entry
    .type hrlp_switch_entry, %function
hrlp_switch_entry:
    save_trap_frame
hrlp_switch: /* may be entered a second time by a slow CLINT, which does no harm */
    take_switch
    la a1, hrli_cpu_switch
hrlp_switch_by: /* the upcall in a1, which chooses the thread */
    addi sp, sp, -SAVED
    each sw, 0, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
    mv a0, sp
    main_stack
    jalr a1
    mv sp, a0
    each lw, 0, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
    addi sp, sp, SAVED
    return_from_trap
    .size hrlp_switch_entry, . - hrlp_switch_entry

/*
 * void hrlp_rv32_yield(void): a call looks like a trap that came between it and what follows it.
 * mret takes MIE from MPIE, and the privilege from MPP, which a trap would have set.
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
