/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cmsdk_dualtimer.h"
#include "hrlp_clock.h"
#include "hrlp_cpu.h"
#include <hrl/time.h>

/*
 * Each job reads the time, then moves the clock to a little before its wrap, so that this falls near
 * the next release: a count nearer with every job. So one of them comes between any two instructions
 * of the clock's handler.
 */
enum { OFFSETS = 40, PERIOD = 25000 };

#define TIMER0_VALUE (*(volatile uint32_t *)0x40000004u) /* counts to the next release */

extern hrl_stamp due_0;

static unsigned jobs;
static hrl_counts moved;

static void move_clock(void)
{
    struct hrlp_cmsdk_dualtimer_channel *clock = HRLP_CMSDK_DUALTIMER(1);
    hrl_stamp before = hrlp_clock_read();
    hrl_stamp stamp = 0u - (TIMER0_VALUE + OFFSETS / 2 - jobs);

    clock->load = ~stamp;
    due_0 += stamp - before;
}

void hrl_gen_body_0(void);
void hrl_gen_body_0(void)
{
    hrl_counts now = hrl_now();

    if (jobs != 0 && (now < moved || now - moved > 2 * PERIOD || now >> 32 > jobs)) {
        hrlp_cpu_print("the time jumps\n");
        hrlp_cpu_halt(1);
    }
    if (jobs == OFFSETS) {
        hrlp_cpu_print("the time goes on\n");
        hrlp_cpu_halt(0);
    }
    move_clock();
    moved = hrl_now();
    jobs++;
}
