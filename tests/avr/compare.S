/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OCR1A is written COMPARE while the timer runs: the count is 6 at that instruction's end. Is there a match at once? And on the
 * next lap, of two, with `PHASE` cycles between?
 */
#include "firmware.h"

HANDLER OVERFLOW_1, on_overflow
BEGIN
    ldi     r17, 1 << CS10
    ldi     r16, 0
    out     OCR1AH, r16
    ldi     r16, 0xff
    out     OCR1AL, r16
    out     TCCR1B, r17                 /* T */
    nop
    nop
    ldi     r16, COMPARE
    nop
    out     OCR1AL, r16                 /* T + 5: the count is 5, and 6 at its end */
    nop
    in      r18, TIFR
    sts     MARK, r18
    SET     TIFR, 0xff
    SET     TIMSK, 1 << TOIE1
    .rept   PHASE
    nop
    .endr
    sei
1:  rcall   2f                          /* some instruction overshoots the overflow */
    rjmp    1b
2:  ret

on_overflow:
    in      r18, TIFR
    sts     MARK, r18
    FINISH  0
