/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "own_core.h"
#include "table_step.h"
#include "table_sync.h"
#include <hrl/schedule_table.h>
#include <stddef.h>

/* What a description promises; looked at when a table is started. */
static bool is_sound(const struct hrl_schedule_table *table)
{
    uint32_t cycle = table->counter->minimum_cycle;
    uint32_t last;

    if (table->count == 0 || table->duration - 1u > table->counter->maximum) {
        return false;
    }
    if (table->points[0].offset != 0 && table->points[0].offset < cycle) {
        return false;
    }
    for (uint32_t i = 1; i < table->count; i++) {
        uint32_t before = table->points[i - 1u].offset;

        if (table->points[i].offset < before || table->points[i].offset - before < cycle) {
            return false;
        }
    }
    last = table->points[table->count - 1u].offset;
    if (table->strategy == HRL_SYNC_IMPLICIT && table->duration - 1u != table->counter->maximum) {
        return false;
    }
    return last <= table->duration && (!table->is_repeating || table->duration - last >= cycle);
}

/*
 * Tells a clock counter that its next point may be another one, unless its alarm has expired and asks when
 * the points are processed. Context: that of the calls, unlocked.
 */
static void rearm(struct hrl_counter *counter)
{
    if (counter->arm != NULL && !counter->is_processing) {
        counter->arm(counter);
    }
}

/*
 * The steps from `total` on until the counter has the value start + offset, modulo its maximum + 1: at least
 * 1, so that an instant that has come already is that of the next time round. `offset` is at most the
 * maximum + 1. A clock counter is not read again, as it has gone on since.
 */
static uint32_t steps_to(const struct hrl_counter *counter, uint32_t total, uint32_t start,
                         uint32_t offset)
{
    uint64_t modulus = (uint64_t)counter->maximum + 1u;
    uint64_t target = (uint64_t)start + offset;
    uint32_t now = counter->alarm == NULL ? counter->value : total;
    uint64_t ahead;

    target = target >= modulus ? target - modulus : target;
    ahead = target > now ? target - now : target + modulus - now;
    return ahead > UINT32_MAX ? UINT32_MAX : (uint32_t)ahead;
}

/* Begins a stopped table at `start`. `state`: what the lock returned; unlocks. */
static enum hrl_status begin(struct hrl_schedule_table *table, uint32_t start, hrlp_irq_state state)
{
    hrli_table_begin(table, start);
    hrlp_irq_unlock(state);
    rearm(table->counter);
    return HRL_OK;
}

enum hrl_status hrl_schedule_table_start_relative(struct hrl_schedule_table *table, uint32_t offset)
{
    const struct hrl_counter *counter = table->counter;
    hrlp_irq_state state;
    uint32_t first;

    HRLI_CHECK_CALL("hrl_schedule_table_start_relative");
    HRLI_CHECK_OWN_CORE(table->counter,
                        "hrl_schedule_table_start_relative: a table of another core");
    HRLI_CHECK(is_sound(table), "hrl_schedule_table_start_relative: the table's offsets are wrong");
    first = table->points[0].offset;
    if (table->strategy == HRL_SYNC_IMPLICIT) {
        return HRL_ID;
    }
    if (offset == 0 || first > counter->maximum || offset > counter->maximum - first ||
        offset > INT32_MAX - first) {
        return HRL_VALUE;
    }
    state = hrlp_irq_lock();
    if (table->state != HRL_TABLE_STOPPED) {
        hrlp_irq_unlock(state);
        return HRL_STATE;
    }
    return begin(table, hrli_counter_total(counter) + offset, state);
}

enum hrl_status hrl_schedule_table_start_absolute(struct hrl_schedule_table *table, uint32_t start)
{
    const struct hrl_counter *counter = table->counter;
    enum hrl_status status;
    hrlp_irq_state state;
    uint32_t first;
    uint32_t total;
    uint32_t ahead;

    HRLI_CHECK_CALL("hrl_schedule_table_start_absolute");
    HRLI_CHECK_OWN_CORE(table->counter,
                        "hrl_schedule_table_start_absolute: a table of another core");
    HRLI_CHECK(is_sound(table), "hrl_schedule_table_start_absolute: the table's offsets are wrong");
    first = table->points[0].offset;
    if (start > counter->maximum) {
        return HRL_VALUE;
    }
    state = hrlp_irq_lock();
    total = hrli_counter_total(counter);
    ahead = steps_to(counter, total, start, first);
    if (table->state != HRL_TABLE_STOPPED || ahead > INT32_MAX) {
        status = table->state != HRL_TABLE_STOPPED ? HRL_STATE : HRL_VALUE;
        hrlp_irq_unlock(state);
        return status;
    }
    return begin(table, total + ahead - first, state);
}

enum hrl_status hrl_schedule_table_start_synchronous(struct hrl_schedule_table *table)
{
    enum hrl_status status = HRL_STATE;
    hrlp_irq_state state;

    HRLI_CHECK_CALL("hrl_schedule_table_start_synchronous");
    HRLI_CHECK_OWN_CORE(table->counter,
                        "hrl_schedule_table_start_synchronous: a table of another core");
    HRLI_CHECK(is_sound(table),
               "hrl_schedule_table_start_synchronous: the table's offsets are wrong");
    if (table->strategy != HRL_SYNC_EXPLICIT) {
        return HRL_ID;
    }
    state = hrlp_irq_lock();
    if (table->state == HRL_TABLE_STOPPED) {
        table->state = HRL_TABLE_WAITING;
        status = HRL_OK;
    }
    hrlp_irq_unlock(state);
    return status;
}

/* The alarm of a clock counter may then expire for nothing, once: it finds what is next itself. */
enum hrl_status hrl_schedule_table_stop(struct hrl_schedule_table *table)
{
    hrlp_irq_state state;

    HRLI_CHECK_CALL("hrl_schedule_table_stop");
    HRLI_CHECK_OWN_CORE(table->counter, "hrl_schedule_table_stop: a table of another core");
    state = hrlp_irq_lock();
    if (table->state == HRL_TABLE_STOPPED) {
        hrlp_irq_unlock(state);
        return HRL_NOT_RUNNING;
    }
    if (table->leader != NULL) {
        table->leader->follower = NULL;
        table->leader = NULL;
    }
    hrli_table_end(table);
    hrlp_irq_unlock(state);
    return HRL_OK;
}

enum hrl_status hrl_schedule_table_next(struct hrl_schedule_table *from,
                                        struct hrl_schedule_table *to)
{
    enum hrl_status status = HRL_OK;
    hrlp_irq_state state;

    HRLI_CHECK_CALL("hrl_schedule_table_next");
    HRLI_CHECK_OWN_CORE(from->counter, "hrl_schedule_table_next: a table of another core");
    HRLI_CHECK(is_sound(to), "hrl_schedule_table_next: the table's offsets are wrong");
    if (from->counter != to->counter || from->strategy != to->strategy) {
        return HRL_ID;
    }
    state = hrlp_irq_lock();
    if (from->state == HRL_TABLE_STOPPED || from->state == HRL_TABLE_NEXT) {
        status = HRL_NOT_RUNNING;
    } else if (to->state != HRL_TABLE_STOPPED) {
        status = HRL_STATE;
    } else {
        if (from->follower != NULL) {
            from->follower->state = HRL_TABLE_STOPPED;
            from->follower->leader = NULL;
        }
        from->follower = to;
        to->leader = from;
        to->state = HRL_TABLE_NEXT;
    }
    hrlp_irq_unlock(state);
    return status;
}

enum hrl_table_state hrl_schedule_table_state(const struct hrl_schedule_table *table)
{
    return table->state;
}

enum hrl_status hrl_schedule_table_synchronise(struct hrl_schedule_table *table, uint32_t value)
{
    hrlp_irq_state state;

    HRLI_CHECK_CALL("hrl_schedule_table_synchronise");
    HRLI_CHECK_OWN_CORE(table->counter, "hrl_schedule_table_synchronise: a table of another core");
    if (table->strategy != HRL_SYNC_EXPLICIT) {
        return HRL_ID;
    }
    if (value >= table->duration) {
        return HRL_VALUE;
    }
    state = hrlp_irq_lock();
    if (table->state == HRL_TABLE_STOPPED || table->state == HRL_TABLE_NEXT) {
        hrlp_irq_unlock(state);
        return HRL_STATE;
    }
    hrli_table_set_global(table, hrli_counter_total(table->counter), value);
    hrlp_irq_unlock(state);
    rearm(table->counter);
    return HRL_OK;
}

enum hrl_status hrl_schedule_table_set_asynchronous(struct hrl_schedule_table *table)
{
    enum hrl_status status = HRL_STATE;
    hrlp_irq_state state;

    HRLI_CHECK_CALL("hrl_schedule_table_set_asynchronous");
    HRLI_CHECK_OWN_CORE(table->counter,
                        "hrl_schedule_table_set_asynchronous: a table of another core");
    if (table->strategy != HRL_SYNC_EXPLICIT) {
        return HRL_ID;
    }
    state = hrlp_irq_lock();
    if (hrli_table_runs(table)) {
        hrli_table_lose_global(table);
        status = HRL_OK;
    }
    hrlp_irq_unlock(state);
    return status;
}
