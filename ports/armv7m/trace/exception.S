/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In builds with HRL_TRACE all exceptions but faults enter here, and the table hrlp_cortex_m_handlers says what handles
 * them. A handler is called like a function, r0 and EXC_RETURN on the main stack. One that wants to find everything
 * as the hardware left it takes these two from there first (HRLP_CPU_TAKE_OVER), and ends at hrlp_ring_leave
 * (HRLP_CPU_LEAVE) with EXC_RETURN in lr. The first two entries of the table are handlers for the calibration.
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
    orr r0, r0, #0x01000000 /* HRLP_RING_ENTERED */
    bl hrli_trace_put
    ldr r0, [sp]
    ldr r1, =hrlp_cortex_m_handlers
    ldr r1, [r1, r0, lsl #2]
    blx r1
    bl hrli_trace_left
    pop {r0, pc}
    .size hrlp_ring_exception, . - hrlp_ring_exception

    .global hrlp_ring_leave
    .type hrlp_ring_leave, %function
hrlp_ring_leave:
    push {r0, lr}
    bl hrli_trace_switched
    pop {r0, pc}
    .size hrlp_ring_leave, . - hrlp_ring_leave

    .global hrlp_ring_returns
    .type hrlp_ring_returns, %function
hrlp_ring_returns:
    bx lr
    .size hrlp_ring_returns, . - hrlp_ring_returns

    .global hrlp_ring_ends
    .type hrlp_ring_ends, %function
hrlp_ring_ends:
    pop.w {r0, lr}
    b.w hrlp_ring_leave
    .size hrlp_ring_ends, . - hrlp_ring_ends
    .ltorg
