/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CLOCK_H
#define HRLI_CLOCK_H

#include <hrl/time.h>

/*
 * The 64-bit clock: the port's 32-bit counter below, the number of its wraps above. The upper half
 * is kept by the clock's wrap interrupt, so that reading the low half alone costs nothing.
 */

/* Starts the clock at 0. Context: start-up. */
void hrli_clock_start(void);

#endif
