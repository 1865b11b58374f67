/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_NONE_H
#define PLAIN_NONE_H

/*
 * TIMING none: no time slices. Every model defines these names: PLAIN_LEAVE is what a switch does
 * for it, PLAIN_INTERRUPT what the cell's handler does, acknowledged, PLAIN_START what is done once
 * the clock runs, if it has slices.
 */
enum { PLAIN_HAS_SLICES = 0, PLAIN_TIME_PRIORITY = PLAIN_LOWEST_PRIORITY };
#define PLAIN_LEAVE
#define PLAIN_INTERRUPT HRLI_SERVE_TIMEOUTS(0)
#define PLAIN_START

static const struct hrlp_cell cell_0 = {NULL, plain_arm, NULL}; /* never periodic */
PLAIN_ONE_SHOT

#endif
