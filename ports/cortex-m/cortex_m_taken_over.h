/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CORTEX_M_TAKEN_OVER_H
#define HRLP_CORTEX_M_TAKEN_OVER_H

/*
 * The begin and the end of a handler that finds everything as the hardware left it, with EXC_RETURN in lr; and an end
 * that takes r4 and EXC_RETURN from the stack; and what goes to a function that is the handler's end, where the result
 * of a comparison is equal. What records interrupts comes in between (ports/armv7m/trace/exception.S; Armv6-M has its
 * own, armv6m_switch.inc).
 */
#if HRL_TRACE /* as only then something does */
#define HRLP_CORTEX_M_TAKE_OVER "pop.w {r0, lr}\n\t"
#define HRLP_CORTEX_M_LEAVE "b.w hrlp_ring_leave"
#define HRLP_CORTEX_M_LEAVE_POPPING "pop.w {r4, lr}\n\t" HRLP_CORTEX_M_LEAVE
#define HRLP_CORTEX_M_GO_IF_EQUAL(function)                                                        \
    "bne 2f\n\tpush {r4, lr}\n\tbl " function "\n\t" HRLP_CORTEX_M_LEAVE_POPPING "\n2:\n\t"
#else
#define HRLP_CORTEX_M_TAKE_OVER
#define HRLP_CORTEX_M_LEAVE "bx lr"
#define HRLP_CORTEX_M_LEAVE_POPPING "pop {r4, pc}"
#define HRLP_CORTEX_M_GO_IF_EQUAL(function) "beq.w " function "\n\t"
#endif

#endif
