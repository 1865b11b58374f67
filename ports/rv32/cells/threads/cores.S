/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* What a board of several cores has beside the others (docs/guide/multi-core-board.md). */
#if HRL_CORES > 1 /* as boards of one core have nothing of this */
#include "hrlp_rv32_frame.inc"
#include "hrlp_rv32_entry.inc"
#include "hrlp_rv32_start.inc"

    .equ MSIP, 0x02000000
    .equ MET, 0x40050000 + 4 * 62 /* as in hrlp_cores_controller.h; one more for each load 0x400 behind it */

/*
 * From reset, on each core: the memory of its own is zeroed. Core 0 zeroes the memory of all, too, and returns; the
 * others sleep until core 0 has started them (hrlp_cores_start), and go to hrl_start.
 */
    .section .text.hrlp_rv32_other_cores, "ax", %progbits
    .global hrlp_rv32_other_cores
    .type hrlp_rv32_other_cores, %function
hrlp_rv32_other_cores:
    la a0, hrl_link_own_bss_start
    la a1, hrl_link_own_bss_end
1:  bgeu a0, a1, 2f
    sw zero, 0(a0)
    addi a0, a0, 4
    j 1b
2:  csrr a0, mhartid
    bnez a0, 5f
    la a0, hrl_link_shared_bss_start
    la a1, hrl_link_shared_bss_end
3:  bgeu a0, a1, 4f
    sw zero, 0(a0)
    addi a0, a0, 4
    j 3b
4:  li a0, MET /* before main may touch the others' memory */
    li a1, HRL_CORES - 1
    lw a2, 0(a0)
    bne a1, a2, 4b
    sw zero, 0(a0)
    ret
5:  li a1, MET + 0x400
    lw zero, 0(a1)
    slli a0, a0, 2
    li a1, MSIP
    add a0, a0, a1
    csrwi mie, 8
6:  wfi
    lw a1, 0(a0)
    beqz a1, 6b
    sw zero, 0(a0)
    li a0, MIE_AT_START
    csrw mie, a0
    call hrl_start
    .size hrlp_rv32_other_cores, . - hrlp_rv32_other_cores

/* The doorbell: another core has rung. */
    .section .text.hrlp_rv32_doorbell_entry, "ax", %progbits
    .global hrlp_rv32_doorbell_entry
    ending_entry hrlp_rv32_doorbell_entry, hrli_core_rung_in_thread, hrli_core_rung_in_handler
#endif
