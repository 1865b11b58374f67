/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#if HRL_WITHOUT_THREADS

#include "hrlp_avr_each.inc"
#include "hrlp_avr_owes.h"
#include <avr/io.h>
/*
 * The two of switch.S that a system without threads has, too: the end of a handler, and of the lock where lines were
 * raised. All code is on the main stack.
 */
    .section .text.hrlp_avr_leave, "ax", @progbits
    .global hrlp_avr_leave, hrlp_avr_give_way
    .type hrlp_avr_leave, @function
    .type hrlp_avr_give_way, @function

hrlp_avr_leave:
    lds r24, hrlp_avr_owes
    sbrc r24, HRLP_AVR_OWES_LINES_BIT
take:
    call hrlp_avr_lines_take
    each pop, r31, r30, r27, r26, r25, r24, r23, r22, r21, r20, r19, r18, r1, r0
    out _SFR_IO_ADDR(SREG), r0
    pop r0
    reti
    .size hrlp_avr_leave, . - hrlp_avr_leave

hrlp_avr_give_way:
    push r0
    in r0, _SFR_IO_ADDR(SREG)
    each push, r0, r1
    clr r1
    each push, r18, r19, r20, r21, r22, r23, r24, r25, r26, r27, r30, r31
    rjmp take
    .size hrlp_avr_give_way, . - hrlp_avr_give_way

#endif
