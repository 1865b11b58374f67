/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_clock.h"

/* Its own interrupt, which a comparison would raise, stays off. */
void hrlp_clock_start(void)
{
    HRLP_TIMER_CELLS_SET_TIME[1] = 0;
    HRLP_TIMER_CELLS_SET_TIME[0] = 0; /* it had not wrapped: this is soon after reset */
}
