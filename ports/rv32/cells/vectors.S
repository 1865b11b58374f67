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
    .global hrlp_vectors
    .type hrlp_vectors, %function
    .option push
    .option norvc
hrlp_vectors:
    .rept 11
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

/* The entry of lines with an attached handler in systems without threads; switch.S has that of the others. */
    .section .text.hrlp_rv32_line_entry, "ax", %progbits
    .weak hrlp_rv32_line_entry
    basic_entry hrlp_rv32_line_entry, hrlp_rv32_line, threads=0
