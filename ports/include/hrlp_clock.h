/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CLOCK_H
#define HRLP_CLOCK_H

#include <hrl/types.h>
#include <stdbool.h>

/*
 * Porting contract: the clock, a counter that runs free and upwards through 32 bits.
 *
 * A wider counter shows its low 32 bits; a narrower one is the driver's to extend. At each wrap
 * from 2^32 - 1 to 0 the driver raises an interrupt and calls hrli_clock_wrapped from it.
 */

/*
 * Starts counting from 0, with the wrap interrupt enabled at HRLP_IRQ_OF_CELLS. Context: start-up,
 * interrupts masked.
 */
void hrlp_clock_start(void);

/* The present stamp. Context: any, one or two loads. */
static inline hrl_stamp hrlp_clock_read(void);

/*
 * Whether the counter wrapped and hrli_clock_wrapped has not been called for it yet. Context: any.
 */
static inline bool hrlp_clock_wrap_pending(void);

#include "hrlp_clock_device.h"

#endif
