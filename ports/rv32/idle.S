/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The idle loop, the same object in every kernel that is compared. It spins, as on the other boards
 * (ports/armv7m/idle.S). Sixteen instructions a turn, which the emulator likes.
 */
    .section .text.hrlp_idle, "ax", %progbits
    .balign 4
    .global hrlp_idle_loop
    .type hrlp_idle_loop, %function
hrlp_idle_loop:
    .rept 15
    nop
    .endr
    j hrlp_idle_loop
    .size hrlp_idle_loop, . - hrlp_idle_loop
