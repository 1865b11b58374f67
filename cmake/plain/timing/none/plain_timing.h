/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_TIMING_H
#define PLAIN_TIMING_H

/*
 * TIMING none: no time slices. A folder for each model holds these names; among them whether
 * plain_timing_start is to be called, once the clock runs, and whether the cell's handler bears the
 * kernel's other interrupts.
 */
enum { PLAIN_TIMING_STARTS = 0, PLAIN_TIME_PRIORITY = HRLP_IRQ_OF_DISPATCH };
static const struct hrlp_cell plain_time_cell = {NULL, plain_cell_arm, NULL}; /* never periodic */

static inline void plain_timing_start(void) {}

#include "plain_one_shot.h"

#define PLAIN_HAS_SLICES false

/* What a switch does for the model. Context: the dispatch. */
static inline void plain_timing_leave(void) {}

/* What the cell's interrupt does, acknowledged. Context: its handler. */
static inline void plain_timing_interrupt(void)
{
    plain_serve_interrupt();
}

#endif
