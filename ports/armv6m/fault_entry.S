/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exceptions and interrupts without a handler, and broken promises: keeps the registers, and calls fault.c with a stack.
 * The hardware has r0 to r3 and r12 in the exception's frame.
 */
    .syntax unified
    .thumb

    /* r4 to r11 to where r3 points, which is behind them then. */
    .macro keep_r4_to_r11
    stmia r3!, {r4-r7}
    mov r4, r8
    mov r5, r9
    mov r6, r10
    mov r7, r11
    stmia r3!, {r4-r7}
    .endm

    .section .text.hrlp_fault_handler, "ax", %progbits
    .balign 4
    .global hrlp_fault_handler
    .type hrlp_fault_handler, %function
    .thumb_func
hrlp_fault_handler:
    ldr r3, =hrlp_fault_registers + 4 * 7 /* r4 */
    keep_r4_to_r11
    mov r1, lr
    movs r2, #4
    tst r1, r2
    beq 1f
    mrs r0, psp
    b 2f
1:  mrs r0, msp
2:
    /*
     * Where the main stack has less than 512 bytes left, or its pointer is elsewhere, it begins anew at the top: what
     * lies there is the oldest, and the report never returns to it.
     */
#if HRL_CORES > 1 /* as each core has a main stack, in the row that VTOR points at (sio) */
    ldr r3, =0xE000ED08
    ldr r3, [r3]
    ldr r2, =hrl_link_core_stride
    adds r2, r2, r3
    ldr r4, =hrl_link_core_stack_bytes + 512
    adds r3, r3, r4
#else
    ldr r2, =hrl_link_main_stack_top
    ldr r3, =hrl_link_main_stack_low + 512
#endif
    mov r4, sp
    subs r4, r4, r3
    subs r3, r2, r3
    cmp r4, r3
    bls 3f
    mov sp, r2
3:  ldr r3, =hrlp_armv6m_report_fault
    bx r3
    .pool
    .size hrlp_fault_handler, . - hrlp_fault_handler
    .weak hrl_link_main_stack_low /* 0 if the board's link.ld does not say it */

    .section .text.hrl_assert_hook, "ax", %progbits
    .balign 4
    .weak hrl_assert_hook
    .type hrl_assert_hook, %function
    .thumb_func
hrl_assert_hook: /* reason, file and line stay in r0 to r2 */
    ldr r3, =hrlp_fault_registers + 4 * 3 /* r0 */
    stmia r3!, {r0-r2}
    adds r3, #4
    keep_r4_to_r11
    ldr r3, =hrlp_fault_registers + 4 * 1 /* sp */
    mov r4, sp
    mov r5, lr
    stmia r3!, {r4-r5}
    ldr r3, =hrlp_armv6m_report_promise
    bx r3
    .pool
    .size hrl_assert_hook, . - hrl_assert_hook
