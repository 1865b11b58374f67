/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In builds with HRL_TRACE all exceptions but faults, and SysTick where it counts stamps, enter here, and the table
 * hrlp_cortex_m_handlers says what handles them. A handler is called like a function, r0 and EXC_RETURN on the main
 * stack. One that ends by itself, as the switch does, drops these two and calls hrlp_ring_leave (armv6m_switch.inc).
 * The first two entries of the table are handlers for the calibration.
 */
    .syntax unified
    .thumb
    .section .text.hrlp_ring_exception, "ax", %progbits
    .balign 4
    .global hrlp_ring_exception
    .type hrlp_ring_exception, %function
hrlp_ring_exception:
    mrs r0, ipsr
    .global hrlp_ring_call
    .type hrlp_ring_call, %function
    .thumb_func
hrlp_ring_call:
    push {r0, lr}
    movs r1, #1 /* HRLP_RING_ENTERED */
    lsls r1, r1, #24
    orrs r0, r1
    bl hrli_trace_put
    ldr r0, [sp]
    ldr r1, =hrlp_cortex_m_handlers
    lsls r2, r0, #2
    ldr r1, [r1, r2]
    blx r1
    bl hrli_trace_left
    pop {r0, pc}
    .size hrlp_ring_exception, . - hrlp_ring_exception

    .global hrlp_ring_returns
    .type hrlp_ring_returns, %function
hrlp_ring_returns:
    bx lr
    .size hrlp_ring_returns, . - hrlp_ring_returns

/* As the switch ends, in as many instructions, but for where to: to what called hrlp_ring_call. */
    .global hrlp_ring_ends
    .type hrlp_ring_ends, %function
hrlp_ring_ends:
    pop {r0, r1}
    mov lr, r1
    .size hrlp_ring_ends, . - hrlp_ring_ends
/* Keeps r0, in which the switch has EXC_RETURN. */
    .global hrlp_ring_leave
    .type hrlp_ring_leave, %function
hrlp_ring_leave:
    push {r0, lr}
    bl hrli_trace_switched
    pop {r0, pc}
    .size hrlp_ring_leave, . - hrlp_ring_leave
    .ltorg
