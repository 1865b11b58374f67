/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "table_sync.h"
#include "table_step.h"

/* Of a table that runs: whether it counts as synchronous. */
static void judge(struct hrl_schedule_table *table)
{
    uint32_t off =
        table->deviation < 0 ? 0u - (uint32_t)table->deviation : (uint32_t)table->deviation;
    bool is_synchronous = table->is_corrected && off <= table->precision;

    table->state = is_synchronous || table->strategy == HRL_SYNC_IMPLICIT
                       ? HRL_TABLE_RUNNING_AND_SYNCHRONOUS
                       : HRL_TABLE_RUNNING;
}

/* Of a table that runs: it is `off` steps of its round ahead of the global time, from 0 to the duration less 1. */
static void deviate(struct hrl_schedule_table *table, uint32_t off)
{
    table->deviation = off > table->duration / 2u ? (int32_t)(off - table->duration) : (int32_t)off;
    judge(table);
}

void hrli_table_begin_sync(struct hrl_schedule_table *table)
{
    table->deviation = 0;
    table->is_corrected = false;
    judge(table);
}

void hrli_table_follow_sync(struct hrl_schedule_table *follower,
                            const struct hrl_schedule_table *before)
{
    int32_t off = before->deviation % (int32_t)follower->duration; /* its round may be shorter */

    follower->is_corrected = before->is_corrected;
    deviate(follower, off < 0 ? (uint32_t)off + follower->duration : (uint32_t)off);
}

/* Where the table is at `now`: so far before what is due next, or behind it, if that is late. */
static uint32_t position(const struct hrl_schedule_table *table, uint32_t now)
{
    uint32_t then = table->at == table->count ? table->duration : table->points[table->at].offset;
    uint32_t ahead = table->due - now;

    if ((int32_t)ahead < 0) {
        return (then - ahead) % table->duration;
    }
    return (then + table->duration - ahead % table->duration) % table->duration;
}

void hrli_table_set_global(struct hrl_schedule_table *table, uint32_t now, uint32_t value)
{
    uint32_t off;

    if (table->state == HRL_TABLE_WAITING) {
        /* Its first point comes when the global time is there, at least a step from now. */
        uint32_t ahead = table->points[0].offset + table->duration - value;

        ahead = ahead > table->duration ? ahead - table->duration : ahead;
        hrli_table_begin(table, now);
        table->due = now + ahead;
        table->is_corrected = true;
        judge(table);
        return;
    }
    off = (position(table, now) + table->duration - value) % table->duration;
    table->is_corrected = true;
    deviate(table, off);
}

void hrli_table_lose_global(struct hrl_schedule_table *table)
{
    table->deviation = 0;
    table->is_corrected = false;
    judge(table);
}

uint32_t hrli_table_corrected(struct hrl_schedule_table *table,
                              const struct hrl_expiry_point *point, uint32_t nominal)
{
    uint32_t by;
    uint32_t most;

    if (!table->is_corrected || table->deviation == 0) {
        return nominal;
    }
    if (table->deviation > 0) {
        by = (uint32_t)table->deviation;
        by = by < point->maximum_retard ? by : point->maximum_retard;
        table->deviation -= (int32_t)by;
        judge(table);
        return nominal + by;
    }
    /* Behind the last point, too: the table that follows may begin with a point. */
    most = nominal > table->counter->minimum_cycle ? nominal - table->counter->minimum_cycle : 0;
    by = 0u - (uint32_t)table->deviation;
    by = by < point->maximum_advance ? by : point->maximum_advance;
    by = by < most ? by : most;
    table->deviation += (int32_t)by;
    judge(table);
    return nominal - by;
}
