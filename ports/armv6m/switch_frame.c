/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"

enum { SAVED_WORDS = 8 }; /* r4-r11, armv6m_switch.inc */

uint32_t *hrlp_cortex_m_push_saved(uint32_t *frame)
{
    return frame - SAVED_WORDS;
}
