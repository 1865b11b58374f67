/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The count of timer 1 is written COUNT, `PHASE` cycles behind a step of its prescaler: when is the next compare match?
 */
#include "firmware.h"

HANDLER COMPARE_1A, on_match
BEGIN                                   /* 3 */
    SET16   OCR1A, 9                    /* 7 */
    SET     TIMSK, 1 << OCIE1A          /* 9 */
    ldi     r17, COUNT                  /* 10 */
    SET     TCCR1B, 1 << CS11           /* T = 11: a step every 8 cycles from there on */
    ldi     r18, 0
    .rept   13 + PHASE
    nop
    .endr
    out     TCNT1H, r18
    out     TCNT1L, r17                 /* T + 16 + PHASE */
    sei
    sleep
    rjmp    begin

on_match:
    FINISH  0
