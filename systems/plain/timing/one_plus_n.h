/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_ONE_PLUS_N_H
#define PLAIN_ONE_PLUS_N_H

#include "slice.h"

/* TIMING one_plus_n: the 1+N paper's Listing 3. Slices are on the cell that the board names for them. */
#define PLAIN_SLICE_VERB PLAIN_OF(VERB, PLAIN_SLICES)
#define PLAIN_SLICE_CHANNEL PLAIN_OF(CHANNEL, PLAIN_SLICES)

enum { PLAIN_HAS_SLICES = 1, PLAIN_TIME_PRIORITY = PLAIN_LOWEST_PRIORITY };
#define PLAIN_LEAVE PLAIN_SLICE_VERB(slice_restart)(PLAIN_SLICE_CHANNEL);
#define PLAIN_INTERRUPT HRLI_SERVE_TIMEOUTS(0)
#define PLAIN_START                                                                                \
    PLAIN_SLICE_VERB(prepare)(PLAIN_SLICE_CHANNEL, HRL_INTERRUPT_KERNEL);                          \
    PLAIN_SLICE_VERB(slice_start)(PLAIN_SLICE_CHANNEL, PLAIN_SLICE_COUNTS);

static const struct hrlp_cell cell_0 = {NULL, plain_arm, NULL}; /* never periodic */
PLAIN_ONE_SHOT

static inline void plain_slice_interrupt(void)
{
    if (PLAIN_SLICE_VERB(slice_is_over)(PLAIN_SLICE_CHANNEL) && !hrli_slice_end()) {
        PLAIN_SLICE_VERB(slice_prolong)
        (PLAIN_SLICE_CHANNEL, HRLI_SLICE_PROLONGED_COUNTS, PLAIN_SLICE_COUNTS);
    }
}
HRLI_HANDLER(PLAIN_OF(HANDLER, PLAIN_SLICES), PLAIN_SLICE_VERB(acknowledge)(PLAIN_SLICE_CHANNEL);
             PLAIN_LOCKED(plain_slice_interrupt();))

#endif
