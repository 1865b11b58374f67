/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_STORE_H
#define PLAIN_STORE_H

#include "calendar.h"

/*
 * STORE calendar: PLAIN_SLOTS slots of 2^PLAIN_SLOT_SHIFT counts. A folder for each store holds
 * these names.
 */
static struct hrli_calendar plain_queue;
static hrli_instant_link plain_slots[PLAIN_SLOTS];
static uint32_t plain_occupied[HRLI_CALENDAR_WORDS(PLAIN_SLOTS)];

static inline void plain_store_prepare(void)
{
    hrli_calendar_init(&plain_queue, plain_slots, plain_occupied, PLAIN_SLOTS, PLAIN_SLOT_SHIFT);
}

static inline bool plain_store_insert(void *queue, struct hrli_queue_node *node)
{
    return hrli_loose_calendar_insert(queue, node);
}

static inline struct hrli_queue_node *plain_store_first(void *queue)
{
    return hrli_calendar_first(queue);
}

static inline void plain_store_pop(void *queue, struct hrli_queue_node *first)
{
    hrli_loose_calendar_pop(queue, first);
}

static inline void plain_store_remove(void *queue, struct hrli_queue_node *node)
{
    hrli_loose_calendar_remove(queue, node);
}

#endif
