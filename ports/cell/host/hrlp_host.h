/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_HOST_H
#define HRLP_HOST_H

#include "hrlp_cell_arming.h"
#include <stdbool.h>

/*
 * The simulated timer: eight channels that compare with the clock, 32 bits wide, the fourth one 24. The
 * board host has the first four.
 *
 * It is told the length of an interval before that begins, as a device with a reload register is. It
 * checks what hrlp_cell.h asks of the caller and aborts when that is not kept. Handlers are host_cell0
 * to host_cell7.
 */
/*
 * How late. No time passes between two instructions: the handler enters at the count of the instant that the cell was
 * given, or of the arming, if that has passed.
 */
#define HRLP_HOST_LATE_COUNTS 0u

void hrlp_host_prepare(unsigned channel, unsigned priority);
void hrlp_host_prepare_at(unsigned channel, unsigned level);
void hrlp_host_acknowledge(unsigned channel);

void hrlp_host_start_periodic(unsigned channel, hrl_stamp first, uint32_t period);
void hrlp_host_stretch(unsigned channel, hrl_stamp due, uint32_t period, bool longer);
void hrlp_host_arm(unsigned channel, hrl_stamp due);
void hrlp_host_disarm(unsigned channel);

enum { hrlp_host_stretches_ahead = true };
HRLP_CELL_REARM_IS_ARM(hrlp_host)

void hrlp_host_slice_start(unsigned channel, uint32_t counts);
void hrlp_host_slice_restart(unsigned channel);
bool hrlp_host_slice_is_over(unsigned channel);
void hrlp_host_slice_prolong(unsigned channel, uint32_t by, uint32_t counts);

/* To be defined by generated code; must acknowledge. The defaults abort. */
void host_cell0(void);
void host_cell1(void);
void host_cell2(void);
void host_cell3(void);
void host_cell4(void);
void host_cell5(void);
void host_cell6(void);
void host_cell7(void);

HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_host)

#endif
