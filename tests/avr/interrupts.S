/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two compare interrupts of timer 1, one of which is interrupted by the other, and what is told of them. The timer counts
 * from cycle T on, in which the store to TCCR1B begins.
 */
#include "firmware.h"

HANDLER COMPARE_1A, on_a
HANDLER COMPARE_1B, on_b
BEGIN                                   /* 3 */
    SET     DDRB, 0xff                  /* 5 */
    SET     CONSOLE, 'o'                /* 8 */
    SET     CONSOLE, 'k'                /* 11 */
    SET     CONSOLE, '\n'              /* 14 */
    SET16   OCR1A, 99                   /* 18 */
    SET16   OCR1B, 119                  /* 22 */
    SET     TIMSK, 1 << OCIE1A | 1 << OCIE1B    /* 24 */
    SET     TCCR1B, 1 << CS10           /* T = 25, 26 */
    sei                                 /* 27 */
1:  sbrs    r15, 5                      /* an odd number of cycles a round: 3 */
    rjmp    1b
    sts     EXIT, r15

/* A's flag is up at T + 100 = 125; the loop's instructions end at 27 + 3 n and one later. */
on_a:
    in      r18, TCNT1L
    in      r19, TCNT1H
    sts     MARK, r18
    sei
    sbi     PORTB, 3
    nop
    nop
    nop
    nop
    nop
    cbi     PORTB, 3
    nop
    reti

on_b:
    in      r18, TCNT1L
    in      r19, TCNT1H
    sts     MARK, r18
    SET     TIMSK, 1 << TOIE1           /* neither of them again */
    ldi     r16, 42
    mov     r15, r16
    reti

