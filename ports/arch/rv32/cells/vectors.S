/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* Where interrupts enter, with threads or without. */
#include "hrlp_rv32_frame.inc"
#include "hrlp_rv32_entry.inc"

/*
 * mtvec points here, vectored: cause n enters at 4 n; what follows 11 does not exist, but for 31. The
 * linker script puts it where the core wants it, 128 bytes before its first instruction.
 */
    .section .text.hrlp_vectors, "ax", %progbits
    .global hrlp_vectors, MachineTimer_Handler_entry
    .type hrlp_vectors, %function
    .option push
    .option norvc
hrlp_vectors:
    .rept 7
    j hrlp_trap_fault
    .endr
MachineTimer_Handler_entry:
    j hrlp_timer_entry /* 7 */
    .rept 3
    j hrlp_trap_fault
    .endr
    sw t0, -4(sp) /* 11, the controller */
    lw t0, CLAIM(zero)
    sw ra, -8(sp)
    jr t0
    .rept 17
    j hrlp_trap_fault
    .endr
    .option pop
    .size hrlp_vectors, . - hrlp_vectors

/* The clock's, which nobody interrupts: rare and short. */
    .section .text.hrlp_timer_entry, "ax", %progbits
    .balign 4
    .type hrlp_timer_entry, %function
hrlp_timer_entry:
    sw t0, FRAME_T0 - TRAP_FRAME(sp)
    sw ra, FRAME_RA - TRAP_FRAME(sp)
    save_trap_frame
    enter_main_stack
    call MachineTimer_Handler
    lw sp, 12(sp)
    return_from_trap
    .size hrlp_timer_entry, . - hrlp_timer_entry
