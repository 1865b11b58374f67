/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASELINE_NOTIFY_H
#define BASELINE_NOTIFY_H

#include "baseline.h"
#include "hrl_gen_freertos_notify.h"
#include "hrlp_cell.h"

/* What the cell's handler has of each of FreeRTOS's tasks; times are those of struct baseline_task. */
struct baseline_release {
    uint32_t left; /* to the next release */
    uint32_t period;
    TaskHandle_t task;
};

extern struct baseline_release baseline_releases[HRL_GEN_GROUPS];

/* The first release of a task with offset 0, in the times of struct baseline_task after the start. */
extern const uint32_t baseline_start;

/* Lets the cell interrupt from now on. Context: start-up, interrupts masked. */
void baseline_start_cell(void);

#endif
