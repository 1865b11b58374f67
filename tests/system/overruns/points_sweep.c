/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sweeping.h"
#include <hrl/basic.h>
#include <hrl/hooks.h>

/*
 * On timer cells: a task at 0 and 1000 of 2300 cycles. The jobs of its first point end a cycle later each,
 * from well before the second point to behind it. Each point has a job or is an overrun, and none is both.
 */
enum { ROUND = 2300, SECOND = 1000 };

void points(void);

static uint32_t first;
static uint32_t jobs;
static uint32_t rounds;
static uint32_t overruns;

void hrl_basic_overrun_hook(const struct hrl_basic *task)
{
    (void)task;
    overruns++;
}

/* Prints rounds, the overruns, and how many points were neither. */
void points(void)
{
    uint32_t now = TIME;
    uint32_t phase;

    if (jobs++ == 0) {
        first = now - 100;
    }
    phase = (now - first) % ROUND;
    if (phase > SECOND / 2) {
        return;
    }
    if (rounds++ == STEPS) {
        print(rounds);
        print(overruns);
        print(2 * rounds - 1 - jobs - overruns);
        hrlp_cpu_halt(0);
    }
    while (TIME - (now - phase) < SECOND + 80 - STEPS) {
    }
    wait(rounds - 1);
}
