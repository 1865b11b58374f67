/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* What a firmware cannot do, by number. */
#include "firmware.h"

BEGIN
#if FAULT == 0
    .word   0x9404
#elif FAULT == 1
    sts     RAMEND + 1, r16
#elif FAULT == 2
    jmp     vectors
#elif FAULT == 3
    jmp     0x1000
#elif FAULT == 4
    sleep
#elif FAULT == 5
    sei
    sleep
#endif
    FINISH  0
