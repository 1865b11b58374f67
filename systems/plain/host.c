/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host: a Linux process, in virtual time. Time passes in hrlp_host_consume and while all threads
 * wait; the process ends by hrlp_cpu_halt.
 */
#include "hrlp_host_machine.h"
#include <stdlib.h>

static void finish(const char *status)
{
    (void)status;
    exit(0);
}

/* Unless the program said what the run is to be: without an end. */
static inline void plain_run_without_end(void)
{
    if (hrlp_host_setup.finish == NULL) {
        hrlp_host_setup.duration = UINT64_MAX / 2;
        hrlp_host_setup.finish = finish;
    }
}

#define PLAIN_TIME cell0
#define PLAIN_PREPARE(prepare)                                                                     \
    plain_run_without_end();                                                                       \
    prepare
#define PLAIN_LOWEST_PRIORITY HRL_INTERRUPT_KERNEL
#define PLAIN_SLICES cell1
#include "plain_system.h"
