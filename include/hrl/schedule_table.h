/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_SCHEDULE_TABLE_H
#define HRL_SCHEDULE_TABLE_H

#include <hrl/basic.h>
#include <hrl/counter.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Schedule tables: at offsets from its start a table activates tasks and sets events, once or in rounds.
 * Tasks run at their own priorities. Several tables may run at a time. The terms are those of AUTOSAR OS;
 * conformance is not claimed (docs/guide/schedule-tables.md).
 *
 *     static const struct hrl_table_action first[] = {HRL_TABLE_ACTIVATE(&inject)};
 *     static const struct hrl_table_action second[] = {HRL_TABLE_ACTIVATE(&ignite),
 *                                                      HRL_TABLE_SET(&events, IGNITED)};
 *     static const struct hrl_expiry_point points[] = {HRL_EXPIRY_POINT(10, first),
 *                                                      HRL_EXPIRY_POINT(300, second)};
 *     HRL_SCHEDULE_TABLE_DEFINE(combustion, &crankshaft, 720, HRL_REPEATING, points);
 *
 *     hrl_schedule_table_start_absolute(&combustion, 0);
 *
 * Offsets and values are steps of the table's counter. A point that is processed late, as interrupts were
 * masked, does not move those that follow.
 *
 * Context of all calls: for a table on a software counter any but above the kernel; for one on a clock
 * counter, a thread or what an alarm calls. All but hrl_schedule_table_state on one core, that of the counter
 * (hrl/counter.h). Interrupts are masked for a time in proportion to the tables that run on the counter. Programming errors in a table (offsets that do not ascend or lie behind the
 * duration, distances below the counter's minimum cycle) stop in the assert hook when it is started.
 */

/* What a point does. The fields are the kernel's. */
struct hrl_table_action {
    void (*act)(const void *object, uint32_t value);
    const void *object;
    uint32_t value;
    bool is_event; /* comes after all activations of the point */
};

/*
 * Elements of a point's array of actions: activates a basic task; calls `function(object, value)`, which
 * may do what an interrupt may. hrl/table_action.h has those for events and semaphores.
 */
#define HRL_TABLE_ACTIVATE(task)                                                                   \
    {                                                                                              \
        hrli_table_activate, task, 0, false                                                        \
    }
#define HRL_TABLE_CALL(function, object, value)                                                    \
    {                                                                                              \
        function, object, value, true                                                              \
    }

/*
 * An expiry point. The distance to the next one may be made longer or shorter by that much to bring the
 * table in line with a global time; HRL_EXPIRY_POINT never changes it.
 */
struct hrl_expiry_point {
    uint32_t offset;
    const struct hrl_table_action *actions;
    uint32_t action_count;
    uint32_t maximum_retard;
    uint32_t maximum_advance;
};
#define HRL_EXPIRY_POINT(at, does) HRL_EXPIRY_POINT_MOVABLE(at, does, 0, 0)
#define HRL_EXPIRY_POINT_MOVABLE(at, does, most_retard, most_advance)                              \
    {                                                                                              \
        at, does, sizeof(does) / sizeof(does)[0], most_retard, most_advance                        \
    }

/*
 * How a table follows a global time: not at all; the counter is the global time, and the duration its
 * maximum + 1; the application gives a global time.
 */
enum hrl_table_strategy { HRL_SYNC_NONE, HRL_SYNC_IMPLICIT, HRL_SYNC_EXPLICIT };

enum hrl_table_state {
    HRL_TABLE_STOPPED,
    HRL_TABLE_NEXT,    /* follows another one */
    HRL_TABLE_WAITING, /* for a global time */
    HRL_TABLE_RUNNING,
    HRL_TABLE_RUNNING_AND_SYNCHRONOUS
};

/* A table; the fields are the kernel's. */
struct hrl_schedule_table {
    const struct hrl_expiry_point *points;
    uint32_t count;
    struct hrl_counter *counter;
    uint32_t duration;
    bool is_repeating;
    enum hrl_table_strategy strategy;
    uint32_t precision;
    volatile enum hrl_table_state state;
    uint32_t at;       /* the index of the next point; `count`: its end */
    uint32_t due;      /* when that is, in increments of the counter, modulo 2^32 */
    int32_t deviation; /* how far it is ahead of the global time; what is still to be corrected */
    bool is_corrected; /* a global time was given */
    struct hrl_schedule_table *next;     /* of those that run on its counter */
    struct hrl_schedule_table *follower; /* the table that is next, or NULL */
    struct hrl_schedule_table *leader;   /* the table that it follows, or NULL */
};

#define HRL_REPEATING true
#define HRL_SINGLE_SHOT false

/*
 * Defines a table without synchronisation, and one with: `most_deviation` is that up to which it counts as
 * synchronous. `its_points` is an array. At file scope.
 */
#define HRL_SCHEDULE_TABLE_DEFINE(table_name, its_counter, lasts, repeats, its_points)             \
    HRL_SCHEDULE_TABLE_DEFINE_SYNC(table_name, its_counter, lasts, repeats, its_points,            \
                                   HRL_SYNC_NONE, 0)
#define HRL_SCHEDULE_TABLE_DEFINE_SYNC(table_name, its_counter, lasts, repeats, its_points, how,   \
                                       most_deviation)                                             \
    HRLI_STATIC_ASSERT((lasts) >= 1 && (lasts) <= 0x3FFFFFFF,                                      \
                       "a schedule table lasts 1 to 2^30 - 1 steps");                              \
    struct hrl_schedule_table table_name = {its_points,                                            \
                                            sizeof(its_points) / sizeof(its_points)[0],            \
                                            its_counter,                                           \
                                            lasts,                                                 \
                                            repeats,                                               \
                                            how,                                                   \
                                            most_deviation,                                        \
                                            HRL_TABLE_STOPPED,                                     \
                                            0,                                                     \
                                            0,                                                     \
                                            0,                                                     \
                                            false,                                                 \
                                            HRLI_NONE,                                             \
                                            HRLI_NONE,                                             \
                                            HRLI_NONE}

/*
 * Starts a table `offset` steps from now: its first point comes after that and its own offset. HRL_OK;
 * HRL_STATE if it is not stopped; HRL_VALUE if `offset` is 0, or above the counter's maximum less the first
 * point's offset, or the first point is 2^31 steps away or more; HRL_ID if its strategy is implicit.
 */
enum hrl_status hrl_schedule_table_start_relative(struct hrl_schedule_table *table,
                                                  uint32_t offset);

/*
 * Starts a table when its counter has the value `start` next: its first point comes its own offset later.
 * HRL_OK; HRL_STATE if it is not stopped; HRL_VALUE if `start` is above the counter's maximum, or so far
 * ahead that the first point is 2^31 steps away or more.
 */
enum hrl_status hrl_schedule_table_start_absolute(struct hrl_schedule_table *table, uint32_t start);

/*
 * The table waits for the first global time. HRL_OK; HRL_STATE if it is not stopped; HRL_ID if its strategy
 * is not explicit.
 */
enum hrl_status hrl_schedule_table_start_synchronous(struct hrl_schedule_table *table);

/*
 * Stops a table; one that was to follow it is stopped, too. HRL_OK, and no point of it is processed
 * behind this call; HRL_NOT_RUNNING if it is stopped.
 */
enum hrl_status hrl_schedule_table_stop(struct hrl_schedule_table *table);

/*
 * When `from` has ended its round `to` starts, in its place. HRL_OK, and another table that was to follow
 * `from` is stopped; HRL_ID if their counters or strategies differ; HRL_NOT_RUNNING if `from` is stopped or
 * follows another one itself; HRL_STATE if `to` is not stopped.
 */
enum hrl_status hrl_schedule_table_next(struct hrl_schedule_table *from,
                                        struct hrl_schedule_table *to);

/* Its state. Context: any. */
enum hrl_table_state hrl_schedule_table_state(const struct hrl_schedule_table *table);

/*
 * The global time: the position, from 0 to the duration less 1, at which the table ought to be now. A table that
 * waits starts there; one that is ahead is delayed, one that is behind is advanced, at its points and within
 * their limits. HRL_OK; HRL_ID if its strategy is not explicit; HRL_STATE if it is stopped or follows
 * another one; HRL_VALUE if `value` is not below the duration.
 */
enum hrl_status hrl_schedule_table_synchronise(struct hrl_schedule_table *table, uint32_t value);

/*
 * The global time is lost: no more corrections. HRL_OK; HRL_ID if the strategy is not explicit; HRL_STATE if
 * the table does not run.
 */
enum hrl_status hrl_schedule_table_set_asynchronous(struct hrl_schedule_table *table);

/* The kernel's. */
void hrli_table_activate(const void *task, uint32_t unused);

#ifdef __cplusplus
}
#endif

#endif
