/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "hrlp_host_jobs.h"
#include "hrlp_host_machine.h"

const bool conform_stacks_are_used = false;

static hrl_counts one_count(void)
{
    return 1;
}

static void finish(const char *status)
{
    hrlp_host_fatal(status, 0);
}

void conform_prepare_machine(void)
{
    hrlp_host_reset();
    hrlp_host_setup.duration = (hrl_counts)1 << 62;
    hrlp_host_setup.finish = finish;
    hrlp_host_setup.port_call_counts = one_count;
}

/* Time goes forward only: to the next instant with that stamp. */
void conform_clock_set(hrl_stamp stamp)
{
    hrlp_host_consume((hrl_stamp)(stamp - (hrl_stamp)hrlp_host_now()));
}
