/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "table_step.h"
#include "table_sync.h"
#include <stddef.h>

bool hrli_table_runs(const struct hrl_schedule_table *table)
{
    return table->state == HRL_TABLE_RUNNING || table->state == HRL_TABLE_RUNNING_AND_SYNCHRONOUS;
}

static void enter(struct hrl_schedule_table *table)
{
    struct hrl_schedule_table **link = &table->counter->tables;

    while (*link != NULL) {
        link = &(*link)->next;
    }
    table->next = NULL;
    *link = table;
}

static void leave(struct hrl_schedule_table *table)
{
    struct hrl_schedule_table **link = &table->counter->tables;

    while (*link != table) {
        link = &(*link)->next;
    }
    *link = table->next;
}

void hrli_table_begin(struct hrl_schedule_table *table, uint32_t start)
{
    table->at = 0;
    table->due = start + table->points[0].offset;
    hrli_table_begin_sync(table);
    enter(table);
}

void hrli_table_end(struct hrl_schedule_table *table)
{
    struct hrl_schedule_table *follower = table->follower;

    if (hrli_table_runs(table)) {
        leave(table);
    }
    if (follower != NULL) {
        follower->state = HRL_TABLE_STOPPED;
        follower->leader = NULL;
        table->follower = NULL;
    }
    table->state = HRL_TABLE_STOPPED;
}

/* Activations first, then events. */
static void act(const struct hrl_expiry_point *point)
{
    for (unsigned events = 0; events < 2; events++) {
        for (uint32_t i = 0; i < point->action_count; i++) {
            const struct hrl_table_action *action = &point->actions[i];

            if (action->is_event == (events != 0)) {
                action->act(action->object, action->value);
            }
        }
    }
}

/* The round has ended at `due`. */
static void end_round(struct hrl_schedule_table *table)
{
    struct hrl_schedule_table *follower = table->follower;

    if (follower != NULL) {
        table->follower = NULL;
        follower->leader = NULL;
        leave(table);
        table->state = HRL_TABLE_STOPPED;
        hrli_table_begin(follower, table->due);
        hrli_table_follow_sync(follower, table);
    } else if (table->is_repeating) {
        table->at = 0;
        table->due += table->points[0].offset;
    } else {
        hrli_table_end(table);
    }
}

void hrli_table_step(struct hrl_schedule_table *table)
{
    const struct hrl_expiry_point *point = &table->points[table->at];
    uint32_t behind;

    if (table->at == table->count) {
        end_round(table);
        return;
    }
    behind = table->at + 1u == table->count ? table->duration : point[1].offset;
    table->at++;
    table->due += hrli_table_corrected(table, point, behind - point->offset);
    act(point); /* may stop this table, and start others */
}
