/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SCHEDULE_TABLES_H
#define HRLI_SCHEDULE_TABLES_H

#include "core.h"
#include "table_step.h"
#include <hrl/clock_counter.h>
#include <hrl/hooks.h>
#include <hrl/table_action.h>

/*
 * Schedule tables of a description: table_<name>, on counter_<name>. At file scope, without a semicolon. The
 * clock's counter is called clock.
 */
#define HRLI_COUNTER(name, maximum, min_cycle)                                                     \
    HRL_COUNTER_DEFINE(counter_##name, maximum, min_cycle);
#define HRLI_CLOCK_COUNTER HRL_CLOCK_COUNTER_DEFINE(counter_clock);

/* What an element of a point's actions activates: a thread, by its semaphore, or a basic task. */
#define HRLI_TABLE_THREAD(name) HRL_TABLE_GIVE(&activate_##name)
#define HRLI_TABLE_BASIC(name) HRL_TABLE_ACTIVATE(&basic_##name)
#define HRLI_TABLE_EVENT(name, flags) HRL_TABLE_SET(&name, flags)

/* An element of the points of a table: number `at`, with the array of actions actions_<name>_<at>. */
#define HRLI_TABLE_POINT(name, at, offset, most_retard, most_advance)                              \
    HRL_EXPIRY_POINT_MOVABLE(offset, actions_##name##_##at, most_retard, most_advance)

/* The table, of the array points_<name>. */
#define HRLI_SCHEDULE_TABLE(name, counter, lasts, repeats, how, most_deviation)                    \
    HRL_SCHEDULE_TABLE_DEFINE_SYNC(table_##name, &counter_##counter, lasts, repeats,               \
                                   points_##name, how, most_deviation);

/*
 * In start-up code, before the clock starts. A table on a software counter is started by a call; one on the
 * clock begins its round at the stamp `start`, whenever the code comes here.
 */
#define HRLI_AUTOSTART(name, how, ...)                                                             \
    if (hrl_schedule_table_start_##how(&table_##name __VA_ARGS__) != HRL_OK) {                     \
        HRLP_CPU_STOP("table_" #name " was started before the kernel", __FILE__, __LINE__);        \
    }
#define HRLI_AUTOSTART_AT(name, start) hrli_table_begin(&table_##name, start);

/*
 * Behind these: the clock's counter expires first at `due`, or so many hops of HRLI_PERIOD_HOP_COUNTS
 * later. HRLI_TIMEOUTS_ARMED (cell_releaser.h) arms the cell for it.
 */
#define HRLI_AUTOSTART_CLOCK(due, hop_count)                                                       \
    counter_clock_alarm.left = 1u;                                                                 \
    counter_clock_alarm.hops = hop_count;                                                          \
    counter_clock_alarm.runs = true;                                                               \
    if (HRLI_ALARM_STARTS_SAY) {                                                                   \
        counter_clock_alarm.timeout.expire = hrli_whole_alarm_expire;                              \
    }                                                                                              \
    counter_clock_alarm.timeout.node.key = due;                                                    \
    (void)hrli_core_insert_timeout(&counter_clock_alarm.timeout.node);

#endif
