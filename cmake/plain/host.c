/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host: a Linux process, in virtual time. Sleeps and time-outs are on the first simulated timer. Time passes in
 * hrlp_host_consume and while all threads wait; the process ends by hrlp_cpu_halt.
 */
#include "hrlp_clock.h"
#include "hrlp_host.h"
#include <stdlib.h>

enum { PLAIN_SLOT_SHIFT = 15 /* 1.3 ms */, TIME_CELL = 0 };

#include "plain_system.h"

/* As power-on leaves the machine, but without an end: the port is asked to stop after a window. */
static void finish(const char *status)
{
    (void)status;
    exit(0);
}

static inline void plain_cell_prepare(void)
{
    hrlp_host_setup.duration = UINT64_MAX / 2;
    hrlp_host_setup.finish = finish;
    hrlp_host_prepare(TIME_CELL);
}

static void plain_cell_arm(hrl_stamp due)
{
    hrlp_host_arm(TIME_CELL, due);
}

static void plain_cell_disarm(void)
{
    hrlp_host_disarm(TIME_CELL);
}

void host_cell0(void)
{
    hrlp_host_acknowledge(TIME_CELL);
    plain_time_interrupt();
}
