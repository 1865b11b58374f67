/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "dispatcher_round.h"
#include <hrl/time.h>

#define LONGEST ((hrl_counts)1 << 30) /* counts up to a start */

/* What stays so between two calls: there is a dispatcher. */
static bool exists(void)
{
    return hrl_gen_dispatcher.kind != NULL;
}

enum hrl_status hrl_dispatcher_set_mode(const struct hrl_dispatcher_mode *mode)
{
    struct hrli_dispatcher *dispatcher = &hrl_gen_dispatcher;
    hrlp_irq_state state;

    HRLI_CHECK_CALL("hrl_dispatcher_set_mode");
    if (!exists()) {
        return HRL_ID;
    }
    state = hrlp_irq_lock();
    dispatcher->asked = mode;
    if (dispatcher->place == HRLI_DISPATCHER_NOWHERE) {
        dispatcher->mode = mode;
    } else if (hrli_dispatcher_waits(dispatcher, hrlp_clock_read())) {
        if (dispatcher->kind->deadlines != NULL) {
            dispatcher->kind->deadlines->end(dispatcher->begin);
        }
        hrli_dispatcher_begin(dispatcher, dispatcher->begin);
        dispatcher->kind->arm(dispatcher->due + HRLP_CELL_EARLY_COUNTS);
    } else {
        hrli_dispatcher_turn_back(dispatcher);
    }
    hrlp_irq_unlock(state);
    return HRL_OK;
}

const struct hrl_dispatcher_mode *hrl_dispatcher_mode(void)
{
    return hrl_gen_dispatcher.mode;
}

HRLP_CONST char *hrl_dispatcher_mode_name(const struct hrl_dispatcher_mode *mode)
{
    return mode == NULL ? HRLP_TEXT("none") : mode->name;
}

/* `ahead`: counts from now to the begin of the first round, which is `begin`. Context: interrupts masked. */
static enum hrl_status start(hrl_counts ahead, hrl_stamp begin)
{
    struct hrli_dispatcher *dispatcher = &hrl_gen_dispatcher;

    if (dispatcher->place != HRLI_DISPATCHER_NOWHERE) {
        return HRL_STATE;
    }
    if (ahead == 0 || ahead > LONGEST) {
        return HRL_VALUE;
    }
    dispatcher->is_first = true;
    dispatcher->stops = false;
    dispatcher->is_corrected = false;
    dispatcher->deviation = 0;
    hrli_dispatcher_begin(dispatcher, begin);
    dispatcher->kind->arm(dispatcher->due + HRLP_CELL_EARLY_COUNTS);
    return HRL_OK;
}

enum hrl_status hrl_dispatcher_start_relative(hrl_counts offset)
{
    enum hrl_status status;
    hrlp_irq_state state;

    HRLI_CHECK_CALL("hrl_dispatcher_start_relative");
    if (!exists() || hrl_gen_dispatcher.kind->is_implicit) {
        return HRL_ID;
    }
    state = hrlp_irq_lock();
    status = start(offset, hrlp_clock_read() + (hrl_stamp)offset);
    hrlp_irq_unlock(state);
    return status;
}

enum hrl_status hrl_dispatcher_start_absolute(hrl_counts begin)
{
    enum hrl_status status;
    hrlp_irq_state state;
    hrl_counts now;

    HRLI_CHECK_CALL("hrl_dispatcher_start_absolute");
    if (!exists()) {
        return HRL_ID;
    }
    state = hrlp_irq_lock();
    now = hrl_now();
    status = start(begin > now ? begin - now : 0, (hrl_stamp)begin);
    hrlp_irq_unlock(state);
    return status;
}

enum hrl_status hrl_dispatcher_stop(void)
{
    struct hrli_dispatcher *dispatcher = &hrl_gen_dispatcher;
    enum hrl_status status = HRL_OK;
    hrlp_irq_state state;

    HRLI_CHECK_CALL("hrl_dispatcher_stop");
    if (!exists()) {
        return HRL_ID;
    }
    state = hrlp_irq_lock();
    if (dispatcher->place == HRLI_DISPATCHER_NOWHERE) {
        status = HRL_NOT_RUNNING;
    } else if (hrli_dispatcher_waits(dispatcher, hrlp_clock_read())) {
        dispatcher->place = HRLI_DISPATCHER_NOWHERE;
        dispatcher->kind->disarm();
        if (dispatcher->kind->deadlines != NULL) {
            dispatcher->kind->deadlines->end(dispatcher->begin);
        }
    } else {
        dispatcher->stops = true;
        hrli_dispatcher_turn_back(dispatcher);
    }
    hrlp_irq_unlock(state);
    return status;
}

static bool is_synchronous(const struct hrli_dispatcher *dispatcher)
{
    uint32_t off = dispatcher->deviation < 0 ? 0u - (uint32_t)dispatcher->deviation
                                             : (uint32_t)dispatcher->deviation;

    return dispatcher->kind->is_implicit ||
           (dispatcher->is_corrected && off <= dispatcher->kind->precision);
}

enum hrl_dispatcher_state hrl_dispatcher_state(void)
{
    const struct hrli_dispatcher *dispatcher = &hrl_gen_dispatcher;
    enum hrl_dispatcher_state found = HRL_DISPATCHER_RUNNING;
    hrlp_irq_state state;

    HRLI_CHECK_CALL("hrl_dispatcher_state");
    state = hrlp_irq_lock();
    if (dispatcher->place == HRLI_DISPATCHER_NOWHERE) {
        found = HRL_DISPATCHER_STOPPED;
    } else if (hrli_dispatcher_waits(dispatcher, hrlp_clock_read())) {
        found = HRL_DISPATCHER_WAITING;
    } else if (is_synchronous(dispatcher)) {
        found = HRL_DISPATCHER_RUNNING_AND_SYNCHRONOUS;
    }
    hrlp_irq_unlock(state);
    return found;
}

/* Why it cannot follow a global time at `now`. Context: interrupts masked. */
static enum hrl_status refused(const struct hrli_dispatcher *dispatcher, hrl_stamp now)
{
    if (!exists() || !dispatcher->kind->is_explicit) {
        return HRL_ID;
    }
    if (dispatcher->place == HRLI_DISPATCHER_NOWHERE || hrli_dispatcher_waits(dispatcher, now)) {
        return HRL_STATE;
    }
    return HRL_OK;
}

enum hrl_status hrl_dispatcher_synchronise(uint32_t position)
{
    struct hrli_dispatcher *dispatcher = &hrl_gen_dispatcher;
    hrlp_irq_state state;
    enum hrl_status status;
    hrl_stamp now;

    HRLI_CHECK_CALL("hrl_dispatcher_synchronise");
    state = hrlp_irq_lock();
    now = hrlp_clock_read();
    status = refused(dispatcher, now);
    if (status == HRL_OK && position >= dispatcher->mode->round) {
        status = HRL_VALUE;
    }
    if (status == HRL_OK) {
        uint32_t round = dispatcher->mode->round;
        uint32_t off = (hrli_dispatcher_position(dispatcher, now) + round - position) % round;

        dispatcher->is_corrected = true;
        dispatcher->deviation = off > round / 2u ? (int32_t)(off - round) : (int32_t)off;
        hrli_dispatcher_turn_back(dispatcher);
    }
    hrlp_irq_unlock(state);
    return status;
}

enum hrl_status hrl_dispatcher_set_asynchronous(void)
{
    struct hrli_dispatcher *dispatcher = &hrl_gen_dispatcher;
    enum hrl_status status;
    hrlp_irq_state state;

    HRLI_CHECK_CALL("hrl_dispatcher_set_asynchronous");
    state = hrlp_irq_lock();
    status = refused(dispatcher, hrlp_clock_read());
    if (status == HRL_OK) {
        dispatcher->is_corrected = false;
        dispatcher->deviation = 0;
    }
    hrlp_irq_unlock(state);
    return status;
}
