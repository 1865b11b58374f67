/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel, a body, a library and an idle loop of as many cycles as stand here, for the front end of watch/. Timer 1 interrupts
 * every 1,000 cycles (CTC). Its handler says in memory that it serves an instant and that it releases a thread, and calls the
 * body as a basic task.
 */
#include "firmware.h"

HANDLER COMPARE_1A, on_a
BEGIN
    SET16   OCR1A, 999
    SET     TIMSK, 1 << OCIE1A
    SET     TCCR1B, 1 << WGM12 | 1 << CS10      /* T = 10 */
    sei
    jmp     idle
.size begin, . - begin

.global idle, on_a, body, body_end, library
idle:                                   /* from 12 + 3 on */
    sleep                               /* 1 */
    rjmp    idle                        /* 2 */
.size idle, . - idle

on_a:                                   /* 3 by the vector */
    sts     served, r1                  /* 8 */
    sts     served + 1, r1
    sts     served + 2, r1
    sts     served + 3, r1
    sts     released, r1                /* 8 */
    sts     released + 1, r1
    sts     released + 2, r1
    sts     released + 3, r1
    call    body                        /* 4 */
    reti                                /* 4 */
.size on_a, . - on_a

body:
    nop                                 /* 3 */
    nop
    nop
    call    library                     /* 4 */
body_end:
    ret                                 /* 4, no job's */
.size body, . - body

library:
    nop                                 /* 1 */
    ret                                 /* 4 */
.size library, . - library

.section .bss
.global served, released
served:
    .space  4
released:
    .space  4
