/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From reset to main: global pointer, stack, trap vectors, zeroed data. The emulator loads
 * initialised data to where it is used. Only hart 0 goes on to main.
 */
#include "hrlp_rv32_start.inc"

    .section .text.hrlp_reset, "ax", %progbits
    .global hrlp_reset
    .type hrlp_reset, %function
hrlp_reset:
#if !(HRL_CORES > 1) /* else all go on */
    csrr a0, mhartid
    bnez a0, 3f
#endif
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    main_stack
    la a0, hrlp_vectors
    ori a0, a0, 1
    csrw mtvec, a0
    csrw mscratch, zero
    li a0, MIE_AT_START
    csrw mie, a0
    la a0, hrl_link_bss_start
    la a1, hrl_link_bss_end
1:  bgeu a0, a1, 2f
    sw zero, 0(a0)
    addi a0, a0, 4
    j 1b
2:
#if HRL_CORES > 1 /* as each has memory of its own */
    call hrlp_rv32_other_cores
#endif
    call main
3:  wfi
    j 3b
    .size hrlp_reset, . - hrlp_reset
