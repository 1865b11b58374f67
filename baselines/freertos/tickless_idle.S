/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * void baseline_sleep(void): what the tickless baseline does instead of WFI. Returns when an interrupt
 * is pending, which it is not taken before: the caller has masked them. Looks every 64 instructions,
 * 2 us on the boards, because each look costs the emulator as much as a hundred instructions.
 */
    .syntax unified
    .thumb
    .equ ICSR, 0xe000ed04
    .equ PENDING, 0x04400000 /* SysTick, or any line */
    .section .text.baseline_sleep, "ax", %progbits
    .balign 4
    .global baseline_sleep
    .type baseline_sleep, %function
baseline_sleep:
    ldr r1, =ICSR
    ldr r2, =PENDING
0:
    .rept 61
    nop
    .endr
    ldr r0, [r1]
    tst r0, r2
    beq 0b
    bx lr
    .size baseline_sleep, . - baseline_sleep
