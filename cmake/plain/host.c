/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host: a Linux process, in virtual time. Sleeps and time-outs are on the first simulated timer,
 * time slices that have a cell of their own on the second. Time passes in hrlp_host_consume and
 * while all threads wait; the process ends by hrlp_cpu_halt.
 */
#include "hrlp_clock.h"
#include "hrlp_host.h"
#include <stdlib.h>

enum { PLAIN_SLOT_SHIFT = 15 /* 1.3 ms */, TIME_CELL = 0, SLICE_CELL = 1 };
#define PLAIN_SLICE_HANDLER host_cell1

#include "plain_cells.h"
#include "plain_system.h"

/* Unless the program said what the run is to be: without an end. */
static void finish(const char *status)
{
    (void)status;
    exit(0);
}

static inline void plain_cell_prepare(void)
{
    if (hrlp_host_setup.finish == NULL) {
        hrlp_host_setup.duration = UINT64_MAX / 2;
        hrlp_host_setup.finish = finish;
    }
    hrlp_host_prepare(TIME_CELL, HRL_INTERRUPT_KERNEL);
}

PLAIN_TIME_CELL_ARM(hrlp_host, TIME_CELL, arm)
PLAIN_SLICE_CELL_DEFINE(hrlp_host, SLICE_CELL)

HRLI_HANDLER(host_cell0, HRLI_ACKNOWLEDGE(hrlp_host, TIME_CELL) plain_time_interrupt();)
