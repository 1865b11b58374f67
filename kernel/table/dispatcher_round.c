/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "dispatcher_round.h"

/* By then a cell has interrupted for an instant that has passed, or is as near as that (hrlp_cell.h). */
#define DEADLINE_COUNTS (4u * HRLP_CELL_EARLY_COUNTS + 4u)

static hrl_stamp end_of(const struct hrli_dispatcher *dispatcher)
{
    return dispatcher->begin + dispatcher->mode->round;
}

static void go_to(struct hrli_dispatcher *dispatcher, enum hrli_dispatcher_place place,
                  hrl_stamp instant)
{
    dispatcher->place = place;
    dispatcher->due = HRLI_LINE_TABLE_DUE(instant);
}

static void go_to_first(struct hrli_dispatcher *dispatcher, hrl_stamp begin)
{
    dispatcher->begin = begin;
    dispatcher->row = dispatcher->mode->rows;
    go_to(dispatcher, HRLI_DISPATCHER_ROW, begin + dispatcher->mode->lead);
}

static void tell_begin(const struct hrli_dispatcher *dispatcher)
{
    if (dispatcher->kind->deadlines != NULL) {
        dispatcher->kind->deadlines->begin(dispatcher->mode->deadlines, dispatcher->begin);
    }
}

void hrli_dispatcher_begin(struct hrli_dispatcher *dispatcher, hrl_stamp begin)
{
    dispatcher->mode = dispatcher->asked;
    go_to_first(dispatcher, begin);
    tell_begin(dispatcher);
}

/* Behind the sync point: the next round, or a change before it. */
static void leave_round(struct hrli_dispatcher *dispatcher)
{
    if (dispatcher->stops || dispatcher->asked != dispatcher->mode) {
        go_to(dispatcher, HRLI_DISPATCHER_END, end_of(dispatcher));
    } else {
        go_to_first(dispatcher, end_of(dispatcher));
    }
}

void hrli_dispatcher_leave_rows(struct hrli_dispatcher *dispatcher)
{
    if (dispatcher->is_corrected && dispatcher->deviation != 0) {
        go_to(dispatcher, HRLI_DISPATCHER_SYNC, end_of(dispatcher) - dispatcher->mode->rest);
    } else {
        leave_round(dispatcher);
    }
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Whether a deadline up to `instant` is yet to be told of; then the dispatcher comes again. */
static bool waits_for_deadlines(struct hrli_dispatcher *dispatcher, hrl_stamp instant)
{
    const struct hrli_dispatcher_deadlines *deadlines = dispatcher->kind->deadlines;

    if (deadlines == NULL || !deadlines->are_open(instant)) {
        return false;
    }
    dispatcher->due = hrlp_clock_read() + DEADLINE_COUNTS;
    return true;
}

void hrli_dispatcher_correct(struct hrli_dispatcher *dispatcher)
{
    const struct hrli_dispatcher_kind *kind = dispatcher->kind;
    uint32_t rest = dispatcher->mode->rest;
    hrl_stamp by;

    if (waits_for_deadlines(dispatcher, end_of(dispatcher) - rest)) {
        return;
    }
    if (dispatcher->deviation > 0) {
        by = least((uint32_t)dispatcher->deviation, kind->maximum_retard);
    } else {
        by = least(0u - (uint32_t)dispatcher->deviation, kind->maximum_advance);
        by = 0u - least(by, rest > kind->minimum ? rest - kind->minimum : 0u);
    }
    dispatcher->deviation -= (int32_t)by;
    dispatcher->begin += by;
    if (kind->deadlines != NULL && by != 0) {
        kind->deadlines->shift(by);
    }
    leave_round(dispatcher);
}

void hrli_dispatcher_change(struct hrli_dispatcher *dispatcher)
{
    const struct hrli_dispatcher_deadlines *deadlines = dispatcher->kind->deadlines;
    hrl_stamp end = end_of(dispatcher);

    if (waits_for_deadlines(dispatcher, end)) {
        return;
    }
    if (deadlines != NULL) {
        deadlines->end(end);
    }
    if (dispatcher->stops) {
        dispatcher->place = HRLI_DISPATCHER_NOWHERE;
        dispatcher->kind->disarm();
        return;
    }
    hrli_dispatcher_begin(dispatcher, end);
}

void hrli_dispatcher_turn_back(struct hrli_dispatcher *dispatcher)
{
    hrl_stamp now = hrlp_clock_read();
    hrl_stamp end = dispatcher->begin;

    if (dispatcher->place == HRLI_DISPATCHER_END) {
        end = end_of(dispatcher);
    } else if (!hrli_dispatcher_is_between(dispatcher, now)) {
        return; /* there are rows to come: it looks behind the last */
    } else {
        dispatcher->begin -= dispatcher->mode->round;
    }
    if (hrli_stamp_after(end - dispatcher->mode->rest, now)) {
        hrli_dispatcher_leave_rows(dispatcher);
    } else {
        leave_round(dispatcher);
    }
    dispatcher->kind->arm(dispatcher->due + HRLP_CELL_EARLY_COUNTS);
}

uint32_t hrli_dispatcher_position(const struct hrli_dispatcher *dispatcher, hrl_stamp now)
{
    int32_t position = (int32_t)(now - dispatcher->begin);

    if (position < 0) {
        return (uint32_t)position + dispatcher->mode->round;
    }
    return (uint32_t)position % dispatcher->mode->round;
}
