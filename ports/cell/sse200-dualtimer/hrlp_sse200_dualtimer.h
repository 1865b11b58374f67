/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_SSE200_DUALTIMER_H
#define HRLP_SSE200_DUALTIMER_H

#include "hrlp_cell_arming.h"
#include "sse200_dualtimer.h"

/* The dual timer's second channel, the clock, for its acknowledge; the first one serves that, and is no cell. */
static inline void hrlp_sse200_dualtimer_acknowledge(unsigned channel)
{
    hrlp_sse200_dualtimer_wraps++;
    HRLP_SSE200_DUALTIMER(channel)->clear =
        1; /* the other core keeps its interrupt: it has been pending there since */
}

HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_sse200_dualtimer)

#endif
