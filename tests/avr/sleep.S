/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* A sleep that a compare interrupt ends, at T + 1000 = 1012; the handler's first instruction is 8 cycles behind. */
#include "firmware.h"

HANDLER COMPARE_1A, on_a
BEGIN                                   /* 3 */
    SET16   OCR1A, 999                  /* 7 */
    SET     TIMSK, 1 << OCIE1A          /* 9 */
    SET     MCUCR, 1 << SE              /* 11 */
    SET     TCCR1B, 1 << CS10           /* T = 12, 13 */
    sei                                 /* 14 */
    sleep                               /* 15 */
    FINISH  0

on_a:
    sts     MARK, r16                   /* in cycle 1012 + 8 + 3 */
    reti
