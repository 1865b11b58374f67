/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saves all registers for a report (fault.c): sp and ra second and third, the others by their
 * numbers. gp, which is a constant, is what addresses them while they are saved.
 */
#include "hrlp_rv32_start.inc"

    .macro save_all
    .option push
    .option norelax
    la gp, hrlp_fault_registers
    sw sp, 4(gp)
    sw ra, 8(gp)
    .irp number, 4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    sw x\number, 4 * \number(gp)
    .endr
    la gp, __global_pointer$
    sw gp, hrlp_fault_registers + 12, ra
    .option pop
    .endm

    .section .text.hrlp_trap_fault, "ax", %progbits
    .global hrlp_trap_fault
    .weak MachineTimer_Handler, hrl_assert_hook
    .type hrlp_trap_fault, %function; .type hrl_assert_hook, %function
    .balign 4
/* Faults, and every interrupt without a handler. */
hrlp_trap_fault:
MachineTimer_Handler:
    save_all
    main_stack
    j hrlp_rv32_report_fault
    .size hrlp_trap_fault, . - hrlp_trap_fault
hrl_assert_hook:
    save_all
    j hrlp_rv32_report_promise
    .size hrl_assert_hook, . - hrl_assert_hook
