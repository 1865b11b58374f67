/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PAPER_REQUEST_QUEUE_H
#define PAPER_REQUEST_QUEUE_H

#include "alarm.h"
#include <stddef.h>

/* The queue of a mechanism: ordered, each alarm relative to the one before, so that time changes the first only. */
static struct alarm *request_queue;

/* Puts `alarm` in, `left` from now, behind those of the same instant. */
static void request_insert(struct alarm *alarm, int32_t left)
{
    struct alarm **link = &request_queue;

    while (*link != NULL && (*link)->left <= left) {
        left -= (*link)->left;
        link = &(*link)->next;
    }
    alarm->left = left;
    alarm->next = *link;
    if (*link != NULL) {
        (*link)->left -= left;
    }
    *link = alarm;
}

/*
 * Takes out the first, which is due, and puts it in again if it is to go off again. What it is late by stays with
 * those behind it.
 */
static struct alarm *request_take(void)
{
    struct alarm *first = request_queue;
    int32_t late = first->left;

    request_queue = first->next;
    if (request_queue != NULL) {
        request_queue->left += late;
    }
    if (first->times != 1) {
        if (first->times != ALARM_FOR_EVER) {
            first->times--;
        }
        request_insert(first, first->interval);
    }
    return first;
}

#endif
