/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "timer_cells.h"

void conform_clock_set(hrl_stamp stamp)
{
    HRLP_TIMER_CELLS_SET_TIME[0] = stamp;
}
