/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * REPORT halt: faults, and every interrupt without a handler, on a stack that there is.
 */
    .section .text.hrlp_trap_fault, "ax", %progbits
    .global hrlp_trap_fault
    .weak MachineTimer_Handler
    .type hrlp_trap_fault, %function
    .balign 4
hrlp_trap_fault:
MachineTimer_Handler:
    la sp, hrl_link_main_stack_top
    j hrlp_fault_handler
    .size hrlp_trap_fault, . - hrlp_trap_fault
