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

#include "plain_cells.h"
#include "plain_system.h"

PLAIN_TIME_CELL_PREPARE(hrlp_clint, HRLP_CLINT_CELL)
PLAIN_TIME_CELL_ARM(hrlp_clint, HRLP_CLINT_CELL, arm)

HRLI_HANDLER(MachineTimer_Handler,
             HRLI_SERVE_CLOCK(hrlp_clint, HRLP_CLINT_CLOCK, hrli_clock_wrapped)
                 HRLI_IF_FIRED(hrlp_clint, HRLP_CLINT_CELL,
                               HRLI_ACKNOWLEDGE(hrlp_clint, HRLP_CLINT_CELL)
                                   plain_time_interrupt();))
