/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The idle loop, the same object in every kernel that is compared. It spins: WFI with a periodic
 * timer loses time under QEMU's icount with sleep=off. Sixteen instructions a turn, which the
 * emulator likes.
 */
    .syntax unified
    .thumb
    .section .text.hrlp_idle, "ax", %progbits
    .balign 4
    .global hrlp_idle_loop
    .type hrlp_idle_loop, %function
hrlp_idle_loop:
    .rept 15
    nop
    .endr
    b hrlp_idle_loop
    .size hrlp_idle_loop, . - hrlp_idle_loop
