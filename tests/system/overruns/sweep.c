/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sweeping.h"
#include <hrl/basic.h>
#include <hrl/hooks.h>

/*
 * On timer cells: the jobs of a task end a cycle later each, from well before the next release to
 * behind it. Each release has a job or is an overrun, and none is both.
 */
#define COUNT (*(volatile uint32_t *)0x40000000u) /* of cell 0: cycles since the release */
enum { PERIOD = 1000 };

void sweep(void);

static uint32_t jobs;
static uint32_t overruns;

void hrl_basic_overrun_hook(const struct hrl_basic *task)
{
    (void)task;
    overruns++;
}

/* Prints its jobs, the overruns, and how many releases were neither. */
void sweep(void)
{
    static uint32_t first;
    uint32_t since = COUNT;
    uint32_t released = TIME - since;

    if (jobs == 0) {
        first = released;
    }
    if (++jobs > STEPS) {
        print(jobs);
        print(overruns);
        print((released - first + PERIOD / 2) / PERIOD + 1 - jobs - overruns);
        hrlp_cpu_halt(0);
    }
    while (COUNT < PERIOD - STEPS) {
    }
    wait(jobs - 1);
}
