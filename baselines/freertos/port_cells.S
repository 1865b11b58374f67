/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The assembly of FreeRTOS's RISC-V port as it is, with what a measurement has to know of it: which of
 * its symbols are functions, and that the two which load a task's registers are where it switches.
 *
 * And its handlers where a core with vectored traps looks for them, in the place of
 * ports/rv32/cells/vectors.S: exceptions, which are its yields, and the tick; the label of the tick is where the
 * interrupts of a cell enter: it is counted in the place of those of the first.
 */
    .option norelax /* so that lengths are known here */
#include "portASM.S"

    .macro function name
    .section .text.\name
    .type \name, %function
    .size \name, . - \name
.L\name\()_end:
    .endm
    function freertos_risc_v_exception_handler
    function freertos_risc_v_mtimer_interrupt_handler

    .section .text.freertos_risc_v_exception_handler
    .global hrlp_switch_entry
    .set hrlp_switch_entry, freertos_risc_v_exception_handler
    .size hrlp_switch_entry, .Lfreertos_risc_v_exception_handler_end - freertos_risc_v_exception_handler + .Lfreertos_risc_v_mtimer_interrupt_handler_end - freertos_risc_v_mtimer_interrupt_handler

    .section .text.hrlp_vectors, "ax", %progbits
    .global hrlp_vectors, Cell_Handler0_entry
    .type hrlp_vectors, %function
    .option push
    .option norvc
hrlp_vectors:
    j freertos_risc_v_exception_handler
    .rept 6
    j hrlp_trap_fault
    .endr
Cell_Handler0_entry:
    j freertos_risc_v_mtimer_interrupt_handler /* 7 */
    .rept 24
    j hrlp_trap_fault
    .endr
    .option pop
    .size hrlp_vectors, . - hrlp_vectors
