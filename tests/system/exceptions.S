/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program for the mps2-an385 that takes a known number of exceptions, of each way to enter one:
 *
 *   1  TIMER0, pended by the thread, which opens the window
 *   3  SVCall from the thread
 *   2  TIMER1 from the thread, which pends PendSV: 2 tail-chained
 *   1  DUALTIMER from the thread, which calls a function that only returns again and again, while SysTick comes 40 times, sooner
 *      and later after its start: some preempt just when the function has returned
 *   2  LOW from the thread, which pends TIMER1, of its priority: 2 tail-chained, and 2 of PendSV behind these
 *
 * 1 + 3 + 4 + 41 + 6 = 55 in all, of which 6 are tail-chained. The thread also calls the handler of SVCall, twice, which is no exception.
 */
    .syntax unified
    .cpu cortex-m3
    .thumb

    .equ ISPR, 0xE000E200
    .equ ISER, 0xE000E100
    .equ PRIORITIES, 0xE000E400
    .equ ICSR, 0xE000ED04
    .equ SYSTICK, 0xE000E010
    .equ TIMER0, 1 << 8
    .equ TIMER1, 1 << 9
    .equ DUALTIMER, 1 << 10
    .equ LOW, 1 << 11

    .section .vectors, "a"
    .type vectors, %object
vectors:
    .word 0x20001000, Reset_Handler + 1, 0, 0, 0, 0, 0, 0, 0, 0, 0
    .word SVC_Handler + 1, 0, 0, PendSV_Handler + 1, SysTick_Handler + 1
    .word 0, 0, 0, 0, 0, 0, 0, 0
    .word TIMER0_Handler + 1, TIMER1_Handler + 1, DUALTIMER_Handler + 1, LOW_Handler + 1
    .size vectors, . - vectors

    .text
    .macro function name
    .global \name
    .type \name, %function
    .thumb_func
\name:
    .endm
    .macro pend line
    ldr r0, =ISPR
    mov r1, #\line
    str r1, [r0]
    .endm
    .macro repeat times, label
    movs r4, #\times
\label:
    .endm
    .macro again label
    subs r4, #1
    bne \label
    .endm

    function Reset_Handler
    ldr r0, =PRIORITIES + 8
    ldr r1, =0x80808020 /* of lines 8 to 11 */
    str r1, [r0]
    ldr r0, =0xE000ED20 /* PendSV last, SysTick before lines */
    ldr r1, =0x20E00000
    str r1, [r0]
    ldr r0, =ISER
    mov r1, #TIMER0 | TIMER1 | DUALTIMER | LOW
    str r1, [r0]
    pend TIMER0
    repeat 3, 1
    svc #0
    again 1b
    repeat 2, 2
    pend TIMER1
    isb
    again 2b
    pend DUALTIMER
    isb
    repeat 2, 4
    pend LOW
    isb
    again 4b
    repeat 2, 5
    bl SVC_Handler
    again 5b
    b hrlp_idle_loop
    .size Reset_Handler, . - Reset_Handler

    function TIMER0_Handler
    nop
    bx lr
    .size TIMER0_Handler, . - TIMER0_Handler

    function SVC_Handler
    push {r0, lr}
    pop {r0, pc}
    .size SVC_Handler, . - SVC_Handler

    function TIMER1_Handler
    ldr r0, =ICSR
    mov r1, #1 << 28
    str r1, [r0]
    bx lr
    .size TIMER1_Handler, . - TIMER1_Handler

    function PendSV_Handler
    ldr r0, =ICSR
    bx lr
    .size PendSV_Handler, . - PendSV_Handler

    function DUALTIMER_Handler
    push {r4, r5, r6, lr}
    ldr r6, =SYSTICK
    repeat 40, 3
    adds r0, r4, #20 /* so many counts to the next: it has ended before there is another */
    str r0, [r6, #4]
    str r0, [r6, #8]
    movs r0, #7
    str r0, [r6]
    movs r5, #40
4:
    bl leaf
    subs r5, #1
    bne 4b
    again 3b
    pop {r4, r5, r6, pc}
    .size DUALTIMER_Handler, . - DUALTIMER_Handler

    function leaf
    bx lr
    .size leaf, . - leaf

    function SysTick_Handler
    ldr r0, =SYSTICK
    movs r1, #0
    str r1, [r0]
    bx lr
    .size SysTick_Handler, . - SysTick_Handler

    function LOW_Handler
    push {r4, lr}
    pend TIMER1
    pop {r4}
    ldr pc, [sp], #4
    .size LOW_Handler, . - LOW_Handler

    function hrlp_idle_loop
    b hrlp_idle_loop
    .size hrlp_idle_loop, . - hrlp_idle_loop
    .ltorg
