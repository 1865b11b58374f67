/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_TABLE_SYNC_H
#define HRLI_TABLE_SYNC_H

#include <hrl/schedule_table.h>

/*
 * How a schedule table follows a global time. Its deviation is its position less the global time, wrapped
 * into (-duration / 2, duration / 2]. Context of all: interrupts masked.
 */

/* The table begins: running, and synchronous if its counter is the global time. */
void hrli_table_begin_sync(struct hrl_schedule_table *table);

/* `follower` takes the place of `before`, and has the deviation of that. */
void hrli_table_follow_sync(struct hrl_schedule_table *follower,
                            const struct hrl_schedule_table *before);

/* The position ought to be `value` at `now`. */
void hrli_table_set_global(struct hrl_schedule_table *table, uint32_t now, uint32_t value);

/* The global time is lost. */
void hrli_table_lose_global(struct hrl_schedule_table *table);

/*
 * The distance from `point` to what follows, `nominal` steps without a correction: changed by as much of the
 * deviation as the point allows, and so that at least the minimum cycle is left.
 */
uint32_t hrli_table_corrected(struct hrl_schedule_table *table,
                              const struct hrl_expiry_point *point, uint32_t nominal);

#endif
