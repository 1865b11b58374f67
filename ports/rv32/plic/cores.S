/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* What several harts have beside one: a start, and variables of their own. */
#if HRL_CORES > 1 /* as one hart has nothing of this */
#include "hrlp_rv32_start.inc"

/*
 * From reset, on each hart: what it has of its own gets its first values, by .tdata and zeros (link.ld), and tp points to it
 * from here on. Hart 0 zeroes what all have, and returns when the others have come; these sleep until hart 0 has started
 * them (hrlp_cores_start), and go to hrl_start.
 */
    .section .text.hrlp_rv32_other_cores, "ax", %progbits
    .global hrlp_rv32_other_cores
    .type hrlp_rv32_other_cores, %function
hrlp_rv32_other_cores:
    lui a0, %hi(hrl_link_core_bytes)
    addi a0, a0, %lo(hrl_link_core_bytes)
    csrr a1, mhartid
    mul a2, a0, a1
    la tp, hrl_link_cores_start
    add tp, tp, a2
    add a0, tp, a0
    mv a2, tp
    la a3, hrl_link_core_data_start
    la a4, hrl_link_core_data_end
1:  bgeu a3, a4, 2f
    lw a5, 0(a3)
    sw a5, 0(a2)
    addi a3, a3, 4
    addi a2, a2, 4
    j 1b
2:  bgeu a2, a0, 3f
    sw zero, 0(a2)
    addi a2, a2, 4
    j 2b
3:  la a0, hrlp_rv32_here
    bnez a1, 6f
    la a2, hrl_link_shared_bss_start
    la a3, hrl_link_shared_bss_end
4:  bgeu a2, a3, 5f
    sw zero, 0(a2)
    addi a2, a2, 4
    j 4b
5:  li a1, HRL_CORES - 1 /* before main may touch what is the others' */
    lw a2, 0(a0)
    bne a1, a2, 5b
    fence r, rw
    ret
6:  fence rw, w
    li a2, 1
    amoadd.w zero, a2, (a0)
    la a0, hrlp_rv32_started
    csrwi mie, 8 /* the doorbell ends sleep, and its interrupt stays for later: threads may have been started */
7:  wfi
    lw a1, 0(a0)
    beqz a1, 7b
    fence r, rw
    li a0, MIE_AT_START
    csrw mie, a0
    call hrl_start
    .size hrlp_rv32_other_cores, . - hrlp_rv32_other_cores

/* So many other harts have come; and whether hart 0 has started them. Initialised: both are used before zeroing ends. */
    .section .data.hrlp_rv32_here, "aw", %progbits
    .global hrlp_rv32_started
    .balign 4
hrlp_rv32_here:
    .word 0
hrlp_rv32_started:
    .word 0
#endif
