/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_DISPATCHER_ROUND_H
#define HRLI_DISPATCHER_ROUND_H

#include "dispatcher.h"

/*
 * From one round of a dispatcher to the next: where it goes behind the last row, at the sync point and at the
 * end. It links nothing of basic tasks. Context of all: interrupts masked.
 */

/* Behind the last row: to the sync point, if there is something to correct; else as behind that. */
void hrli_dispatcher_leave_rows(struct hrli_dispatcher *dispatcher);

/*
 * At the sync point: the round ends later or earlier by as much of the deviation as it may. A deadline at that
 * instant is told of first: its interrupt goes first as soon as the dispatcher's lets it, and that comes again.
 */
void hrli_dispatcher_correct(struct hrli_dispatcher *dispatcher);

/* At the end of a round, with something to do there, when all deadlines are told of. */
void hrli_dispatcher_change(struct hrli_dispatcher *dispatcher);

/*
 * A correction or a change is wanted: turns back to the end of the round that runs, if the rows of that are
 * behind, and arms the cell.
 */
void hrli_dispatcher_turn_back(struct hrli_dispatcher *dispatcher);

/* Where it is in its round at `now`, if it runs: from 0 to the round less 1. */
uint32_t hrli_dispatcher_position(const struct hrli_dispatcher *dispatcher, hrl_stamp now);

#endif
