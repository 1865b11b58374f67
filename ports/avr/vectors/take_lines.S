/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#if HRL_BASIC_TASKS

#include "hrlp_avr_owes.h"
#include <avr/io.h>
/*
 * void hrlp_avr_lines_take(void)
 *
 * Runs the handlers of all lines that are pending and not held off, the most urgent one first (hrlp_line_arch.h). What
 * raises a more urgent line while a handler runs calls this again: at most once for each level. Context: the main
 * stack, interrupts masked. Changes what a function may.
 *
 * The handler of a line of lines 8 * `bank` on; r24 are the bank's pending lines, r17 the line's bit, r30 its number,
 * r16 the floor. Handlers keep r16 and r17, so that they are saved once, and not for each line.
 */
    .macro serve bank
    cp r30, r16
    brsh 4f
    rjmp none
4:  eor r24, r17
    sts hrlp_avr_lines + \bank, r24
    lds r24, hrlp_avr_lines + HRLP_AVR_LINES_ACTIVE + \bank
    or r24, r17
    sts hrlp_avr_lines + HRLP_AVR_LINES_ACTIVE + \bank, r24
    mov r26, r30
    clr r27
    subi r26, lo8(-(hrlp_avr_lines + HRLP_AVR_LINES_ABOVE))
    sbci r27, hi8(-(hrlp_avr_lines + HRLP_AVR_LINES_ABOVE))
    ld r24, X
    sts hrlp_avr_lines + HRLP_AVR_LINES_FLOOR, r24
    lsl r30
    clr r31
    subi r30, lo8(-(hrlp_avr_line_handlers))
    sbci r31, hi8(-(hrlp_avr_line_handlers))
    lpm r24, Z+
    lpm r31, Z
    mov r30, r24
    sei
    icall
    cli
    lds r24, hrlp_avr_lines + HRLP_AVR_LINES_ACTIVE + \bank
    eor r24, r17
    sts hrlp_avr_lines + HRLP_AVR_LINES_ACTIVE + \bank, r24
    sts hrlp_avr_lines + HRLP_AVR_LINES_FLOOR, r16
    .endm

/* The highest bit of r24, which is not 0: adds its place to r30, and its bit is r17. */
    .macro highest
    mov r18, r24
    ldi r17, 1
    cpi r18, 16
    brlo 1f
    swap r18
    andi r18, 15
    ldi r17, 16
    subi r30, -4
1:  cpi r18, 4
    brlo 2f
    lsr r18
    lsr r18
    lsl r17
    lsl r17
    subi r30, -2
2:  sbrs r18, 1
    rjmp 3f
    lsl r17
    inc r30
3:
    .endm

    .section .text.hrlp_avr_lines_take, "ax", @progbits
    .global hrlp_avr_lines_take
    .type hrlp_avr_lines_take, @function
hrlp_avr_lines_take:
    push r16
    push r17
    lds r24, hrlp_avr_owes
    andi r24, 0xFF - HRLP_AVR_OWES_LINES
    sts hrlp_avr_owes, r24
    lds r16, hrlp_avr_lines + HRLP_AVR_LINES_FLOOR
again:
    lds r24, hrlp_avr_lines + 1
    tst r24
    breq low
    ldi r30, 8
    highest
    serve 1
    rjmp again
low:
    lds r24, hrlp_avr_lines
    ldi r30, 0
    tst r24
    breq none
    highest
    serve 0
    rjmp again
none:
    pop r17
    pop r16
    ret
    .size hrlp_avr_lines_take, . - hrlp_avr_lines_take

#endif
