/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_TABLE_STEP_H
#define HRLI_TABLE_STEP_H

#include <hrl/schedule_table.h>

/*
 * The course of a schedule table: its points, the end of its round, the table that follows. Time is the
 * number of steps that the counter has made, modulo 2^32, for counters of any maximum. Context of all:
 * interrupts masked.
 */

/* How many steps the counter has made. Context: any. */
uint32_t hrli_counter_total(const struct hrl_counter *counter);

/* Whether the table is among those of its counter: it has a next point. */
bool hrli_table_runs(const struct hrl_schedule_table *table);

/* Begins `table`, which is stopped: its round starts at `start`. */
void hrli_table_begin(struct hrl_schedule_table *table, uint32_t start);

/* Ends it: it is stopped, and so is the table that was to follow it. */
void hrli_table_end(struct hrl_schedule_table *table);

/* Processes what is due at the table's `due`: a point, or the end of its round, which may begin another. */
void hrli_table_step(struct hrl_schedule_table *table);

#endif
