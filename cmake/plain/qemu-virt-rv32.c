/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * qemu-virt-rv32: the clock is the CLINT's counter, sleeps and time-outs are on its comparison.
 */
#include "clock.h"
#include "hrlp_clint.h"
#include "hrlp_clock.h"
#include "hrlp_upcalls.h"

enum { PLAIN_SLOT_SHIFT = 14 /* 1.6 ms */ };

#include "plain_system.h"

static inline void plain_cell_prepare(void)
{
    hrlp_clint_prepare(HRLP_CLINT_CELL, PLAIN_TIME_PRIORITY);
}

static inline void plain_cell_start_periodic(hrl_stamp first, uint32_t period)
{
    hrlp_clint_start_periodic(HRLP_CLINT_CELL, first, period);
}

static void plain_cell_arm(hrl_stamp due)
{
    hrlp_clint_arm(HRLP_CLINT_CELL, due);
}

void MachineTimer_Handler(void);
void MachineTimer_Handler(void)
{
    if (hrlp_clock_wrap_pending()) {
        hrli_clock_interrupt(hrlp_clint_acknowledge, HRLP_CLINT_CLOCK, hrli_clock_wrapped);
    }
    if (hrlp_clint_fired(HRLP_CLINT_CELL)) {
        hrlp_clint_acknowledge(HRLP_CLINT_CELL);
        plain_time_interrupt();
    }
}
