/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* Flags and enables of timer 1, and how many instructions come between SEI and an interrupt that is pending. */
#include "firmware.h"

HANDLER COMPARE_1A, on_a
HANDLER COMPARE_1B, on_b
BEGIN
    SET16   OCR1A, 10
    SET16   OCR1B, 20
    SET     TCCR1B, 1 << CS10
    ldi     r17, 10
1:  dec     r17                         /* until both have matched */
    brne    1b
    in      r18, TIFR
    sts     MARK, r18
    SET     TIFR, 1 << OCF1A            /* this one, not the other */
    in      r18, TIFR
    sts     MARK, r18
    sei
    nop
    nop
    SET     TIMSK, 1 << OCIE1B          /* which is raised: the interrupt comes at once */
    inc     r20
    sts     MARK, r20
    cli
    SET16   OCR1A, 100
    SET     TIMSK, 1 << OCIE1A
    ldi     r17, 50
1:  dec     r17
    brne    1b
    sei
    inc     r20                         /* one of them before the interrupt */
    inc     r20
    sts     MARK, r20
    FINISH  0

on_a:
on_b:
    sts     MARK, r20
    reti
