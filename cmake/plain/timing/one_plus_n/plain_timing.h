/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_TIMING_H
#define PLAIN_TIMING_H

#include "slice.h"

/*
 * TIMING one_plus_n: the 1+N paper's Listing 3. The board names the handler of its slices' cell,
 * PLAIN_SLICE_HANDLER, and defines that cell's verbs.
 */
enum { PLAIN_TIMING_STARTS = 1, PLAIN_TIME_PRIORITY = HRLP_IRQ_OF_DISPATCH };

static inline void plain_slice_prepare(void);
static inline void plain_slice_acknowledge(void);
static inline void plain_slice_start(uint32_t counts);
static inline void plain_slice_restart(void);
static inline bool plain_slice_is_over(void);
static inline void plain_slice_prolong(uint32_t by, uint32_t counts);

static const struct hrlp_cell plain_time_cell = {NULL, plain_cell_arm, NULL}; /* never periodic */

static inline void plain_timing_start(void)
{
    plain_slice_prepare();
    plain_slice_start(PLAIN_SLICE_COUNTS);
}

#include "plain_one_shot.h"

#define PLAIN_HAS_SLICES true

static inline void plain_timing_leave(void)
{
    plain_slice_restart();
}

static inline void plain_timing_interrupt(void)
{
    plain_serve_interrupt();
}

void PLAIN_SLICE_HANDLER(void);
void PLAIN_SLICE_HANDLER(void)
{
    hrlp_irq_state state;

    plain_slice_acknowledge();
    state = PLAIN_LOCKS ? hrlp_irq_lock() : HRLP_IRQ_UNLOCKED;
    if (plain_slice_is_over() && !hrli_slice_end()) {
        plain_slice_prolong(HRLI_SLICE_PROLONGED_COUNTS, PLAIN_SLICE_COUNTS);
    }
    if (PLAIN_LOCKS) {
        hrlp_irq_unlock(state);
    }
}

#endif
