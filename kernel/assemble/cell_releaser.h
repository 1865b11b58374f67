/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CELL_RELEASER_H
#define HRLI_CELL_RELEASER_H

#include "core.h"
#include "hrlp_cell.h"
#include "one_shot_narrow.h"
#include "one_shot_nodes.h"
#include "release_wait.h"
#include "short_alarm.h"
#include "store.h"
#include "wait.h"

/*
 * A releaser of threads becomes code: a cell, a mode and a store, put together. Releaser number `i`
 * has the cell cell_<i> (HRLI_CELL), the store store_<i> (store.h) and is hrl_gen_releaser_<i>. At
 * file scope, without a semicolon:
 *
 *     HRLI_CELL(0, hrlp_cmsdk_timer, 0u)
 *     HRLI_QUEUE(store_0, sorted_list, 5u, 128u, 15u)
 *     HRLI_PERIODIC(0, QUEUE, sorted_list, 25000u, 62500u, 1u)
 *
 * The handler of the cell (handler.h) names the same releaser, by HRLI_SERVE_...
 */

/* The short way of alarms (short_alarm.h), in parts. */
#if HRLP_CPU_SHORTENS_ALARMS /* as other ports lack what it calls, and their images are to be without */
#define HRLI_FORGET_NEAR(i) short_alarms_##i.is_near = false;
#define HRLI_ARM_NEAR(i, device, instance)                                                         \
    HRLI_ASSEMBLED_INLINE void arm_near_##i(uint16_t now, uint16_t left)                           \
    {                                                                                              \
        device##_arm_near(instance, now, left);                                                    \
    }
#define HRLI_SHORT_NODES(i) static struct hrli_short_alarms short_alarms_##i;
#define HRLI_SHORT_ALARMS(i, queue)                                                                \
    HRLI_ASSEMBLED_INLINE bool stay_##i(struct hrli_queue_node *first, uint32_t counts)            \
    {                                                                                              \
        return queue##_stay(&store_##i, first, counts);                                            \
    }                                                                                              \
    HRLI_ASSEMBLED void put_off_##i(struct hrli_queue_node *first, hrl_stamp key)                  \
    {                                                                                              \
        queue##_put_off(&store_##i, first, key);                                                   \
    }                                                                                              \
    static const struct hrli_short_parts short_parts_##i = {&parts_##i, &short_alarms_##i,         \
                                                            stay_##i, put_off_##i, arm_near_##i};  \
    static __attribute__((noinline, unused)) void serve_timeouts_##i(void)                         \
    {                                                                                              \
        HRLI_SERVE_ALL_TIMEOUTS(i)                                                                 \
        hrli_short_alarm_look(&short_parts_##i);                                                   \
        hrli_core_dispatch_after_interrupt();                                                      \
    }                                                                                              \
    static __attribute__((noinline, unused)) void move_alarm_##i(struct hrl_alarm *alarm,          \
                                                                 uint32_t counts)                  \
    {                                                                                              \
        hrli_short_alarm_move(&short_parts_##i, alarm, counts, serve_timeouts_##i);                \
    }
#define HRLI_SERVE_SHORTLY(i)                                                                      \
    if (!hrli_short_alarm_interrupt(&short_parts_##i, move_alarm_##i)) {                           \
        serve_timeouts_##i();                                                                      \
    }
#else
#define HRLI_FORGET_NEAR(i)
#define HRLI_ARM_NEAR(i, device, instance)
#define HRLI_SHORT_NODES(i)
#define HRLI_SHORT_ALARMS(i, queue)
#define HRLI_SERVE_SHORTLY(i)
#endif

/* What one_shot_narrow.h needs as functions. */
#if HRLP_CPU_IS_NARROW /* as other ports lack what it calls, and their images are to be without */
#define HRLI_AIM(i, base, reach)                                                                   \
    static void aim_##i(hrl_stamp due);                                                            \
    static void aim_far_##i(hrl_stamp due);                                                        \
    static const struct hrli_one_shot_aim aim_parts_##i = {base, arm_near_##i, aim_##i,            \
                                                           aim_far_##i, reach};                    \
    static __attribute__((noinline)) void aim_far_##i(hrl_stamp due)                               \
    {                                                                                              \
        hrli_one_shot_aim_far(&aim_parts_##i, due);                                                \
    }                                                                                              \
    static __attribute__((noinline)) void aim_##i(hrl_stamp due)                                   \
    {                                                                                              \
        hrli_one_shot_aim(&aim_parts_##i, due);                                                    \
    }
#define HRLI_AIMS(i) &aim_parts_##i
#define HRLI_SETTLE_QUEUE(i, store)                                                                \
    static __attribute__((noinline)) bool settle_slowly_##i(struct hrli_waiter *waiter,            \
                                                            hrl_stamp from, uint32_t span)         \
    {                                                                                              \
        return hrli_one_shot_settle_slowly(aim_parts_##i.releaser, waiter, from, span, &store_##i, \
                                           &store##_store, &set_cell_##i);                         \
    }                                                                                              \
    static __attribute__((noinline)) bool settle_##i(struct hrli_waiter *waiter, uint32_t span)    \
    {                                                                                              \
        return hrli_one_shot_settle(&aim_parts_##i, waiter, span, settle_slowly_##i);              \
    }
#else
#define HRLI_AIM(i, base, reach)
#define HRLI_AIMS(i) NULL
#define HRLI_SETTLE_QUEUE(i, store)
#endif
#define HRLI_SETTLE_STATIC(i, store)

/* Channel `instance` of a timer device, by the functions of its driver that begin with `device`. */
#define HRLI_CELL(i, device, instance)                                                             \
    static void cell_##i##_start_periodic(hrl_stamp first, uint32_t period)                        \
    {                                                                                              \
        device##_start_periodic(instance, first, period);                                          \
    }                                                                                              \
    HRLI_SHORT_NODES(i)                                                                            \
    static __attribute__((noinline)) void cell_##i##_arm(hrl_stamp due)                            \
    {                                                                                              \
        HRLI_FORGET_NEAR(i)                                                                        \
        device##_arm(instance, due);                                                               \
    }                                                                                              \
    HRLI_ASSEMBLED void cell_##i##_rearm(hrl_stamp due)                                            \
    {                                                                                              \
        if (device##_rearm_is_short) {                                                             \
            device##_rearm(instance, due);                                                         \
        } else {                                                                                   \
            cell_##i##_arm(due);                                                                   \
        }                                                                                          \
    }                                                                                              \
    static void cell_##i##_disarm(void)                                                            \
    {                                                                                              \
        device##_disarm(instance);                                                                 \
    }                                                                                              \
    static const struct hrlp_cell cell_##i = {cell_##i##_start_periodic, cell_##i##_arm,           \
                                              cell_##i##_disarm};                                  \
    enum { cell_##i##_catches_up = device##_catches_up };                                          \
    HRLI_ASSEMBLED_INLINE void cell_##i##_catch_up(void)                                           \
    {                                                                                              \
        device##_catch_up(instance);                                                               \
    }                                                                                              \
    HRLI_ARM_NEAR(i, device, instance)

/*
 * The cell interrupts every `period` counts from the stamp `begin` on; every `divide`-th interrupt
 * is an instant of the releaser.
 */
#define HRLI_PERIODIC(i, kind, store, begin, period, divide)                                       \
    static const uint32_t every_##i = divide;                                                      \
    static void serve_##i(struct hrli_releaser *releaser)                                          \
    {                                                                                              \
        hrli_periodic_serve((struct hrli_periodic *)releaser, HRLI_KEPT(i),                        \
                            &HRLI_PERIODIC_STORE_##kind(store), every_##i);                        \
    }                                                                                              \
    HRLI_PERIODIC_BUT_SERVE(i, kind, store, begin, period, divide)                                 \
    /* More than one instant has passed: until none has, behind a comparison that is to come. */   \
    static __attribute__((noinline, unused)) void serve_late_##i(void)                             \
    {                                                                                              \
        do {                                                                                       \
            serve_##i(&hrl_gen_releaser_##i.base);                                                 \
            cell_##i##_catch_up();                                                                 \
        } while (!hrli_stamp_after(hrl_gen_releaser_##i.base.next, hrlp_clock_read()));            \
    }

/* HRLI_PERIODIC of a cell that also serves the cooperative releaser number `with`, at the same interrupts. */
#define HRLI_PERIODIC_PARTNER(i, kind, store, begin, period, divide, with)                         \
    static const uint32_t every_##i = divide;                                                      \
    static void serve_##i(struct hrli_releaser *releaser)                                          \
    {                                                                                              \
        hrli_periodic_serve((struct hrli_periodic *)releaser, HRLI_KEPT(i),                        \
                            &HRLI_PERIODIC_STORE_##kind(store), every_##i);                        \
        hrli_cooperative_visit_late(&parts_##with, (struct hrli_periodic *)releaser);              \
    }                                                                                              \
    HRLI_PERIODIC_BUT_SERVE(i, kind, store, begin, period, divide)

#define HRLI_PERIODIC_BUT_SERVE(i, kind, store, begin, period, divide)                             \
    extern struct hrli_periodic hrl_gen_releaser_##i;                                              \
    static void start_##i(struct hrli_releaser *releaser)                                          \
    {                                                                                              \
        hrli_periodic_start((struct hrli_periodic *)releaser);                                     \
    }                                                                                              \
    HRLI_ASSEMBLED_INLINE bool enqueue_##i(                                                        \
        struct hrli_releaser *releaser, struct hrli_waiter *waiter, hrl_stamp from, uint32_t span) \
    {                                                                                              \
        return HRLI_PERIODIC_ENQUEUE_##kind(i, store);                                             \
    }                                                                                              \
    HRLI_RELEASER_CALLS(i, kind, store)                                                            \
    struct hrli_periodic hrl_gen_releaser_##i = {                                                  \
        .base = HRLI_RELEASER_BASE(i, (begin)-1u, begin),                                          \
        .cell_period = (period),                                                                   \
        .divider = (divide),                                                                       \
    };

/* The cell as its own handler arms it, and as all else does. */
#define HRLI_ONE_SHOT_CELLS(i, base, reach)                                                        \
    HRLI_AIM(i, base, reach)                                                                       \
    static const struct hrli_one_shot_cell own_cell_##i = {cell_##i##_rearm, cell_##i##_disarm,    \
                                                           reach, &hrli_core.ready, HRLI_AIMS(i)}; \
    static const struct hrli_one_shot_cell set_cell_##i = {cell_##i##_arm, cell_##i##_disarm,      \
                                                           reach, &hrli_core.ready, HRLI_AIMS(i)};

/* The cell is armed for the store's first instant, in hops of at most `reach` counts. */
#define HRLI_ONE_SHOT(i, kind, store, begin, reach)                                                \
    extern struct hrli_one_shot hrl_gen_releaser_##i;                                              \
    HRLI_ONE_SHOT_CELLS(i, &hrl_gen_releaser_##i.base, reach)                                      \
    static void start_##i(struct hrli_releaser *releaser)                                          \
    {                                                                                              \
        hrli_one_shot_start((struct hrli_one_shot *)releaser, &store_##i, &store##_store,          \
                            &set_cell_##i);                                                        \
    }                                                                                              \
    static void serve_##i(struct hrli_releaser *releaser)                                          \
    {                                                                                              \
        hrli_one_shot_serve((struct hrli_one_shot *)releaser, &store_##i, &store##_store,          \
                            &set_cell_##i);                                                        \
    }                                                                                              \
    HRLI_SETTLE_##kind(i, store) HRLI_ASSEMBLED_INLINE bool enqueue_##i(                           \
        struct hrli_releaser *releaser, struct hrli_waiter *waiter, hrl_stamp from, uint32_t span) \
    {                                                                                              \
        return HRLI_ONE_SHOT_ENQUEUE_##kind(i, store);                                             \
    }                                                                                              \
    HRLI_RELEASER_CALLS(i, kind, store)                                                            \
    struct hrli_one_shot hrl_gen_releaser_##i = {.base = HRLI_RELEASER_BASE(i, begin, begin)};

/* A periodic releaser that a cooperative one names before it is made. */
#define HRLI_PARTNER(i) extern struct hrli_periodic hrl_gen_releaser_##i;

/*
 * As HRLI_ONE_SHOT, but periodic releasers serve the store, too, and the cell is armed only for
 * instants that come before all of theirs. The rest of the line names these releasers, declared
 * before: &hrl_gen_releaser_1, ... Each of them is an HRLI_PERIODIC_PARTNER with this `i`.
 */
#define HRLI_COOPERATIVE(i, kind, store, begin, reach, ...)                                        \
    extern struct hrli_cooperative hrl_gen_releaser_##i;                                           \
    HRLI_ONE_SHOT_CELLS(i, &hrl_gen_releaser_##i.one_shot.base, reach)                             \
    static struct hrli_periodic *const partners_##i[] = {__VA_ARGS__};                             \
    static const struct hrli_cooperative_parts parts_##i = {&hrl_gen_releaser_##i,                 \
                                                            &store_##i,                            \
                                                            &store##_store,                        \
                                                            partners_##i,                          \
                                                            sizeof partners_##i /                  \
                                                                sizeof partners_##i[0],            \
                                                            &set_cell_##i};                        \
    static void start_##i(struct hrli_releaser *releaser)                                          \
    {                                                                                              \
        (void)releaser;                                                                            \
        hrli_cooperative_start(&parts_##i);                                                        \
    }                                                                                              \
    static void serve_##i(struct hrli_releaser *releaser)                                          \
    {                                                                                              \
        (void)releaser;                                                                            \
        hrli_cooperative_serve(&parts_##i);                                                        \
    }                                                                                              \
    HRLI_ASSEMBLED_INLINE bool enqueue_##i(                                                        \
        struct hrli_releaser *releaser, struct hrli_waiter *waiter, hrl_stamp from, uint32_t span) \
    {                                                                                              \
        (void)releaser;                                                                            \
        return HRLI_COOPERATIVE_ENQUEUE_##kind(i, store);                                          \
    }                                                                                              \
    HRLI_RELEASER_CALLS(i, kind, store)                                                            \
    struct hrli_cooperative hrl_gen_releaser_##i = {                                               \
        .one_shot = {.base = HRLI_RELEASER_BASE(i, begin, begin)}};

/*
 * The releaser of sleeps and time-outs: one-shot, over a delay queue that threads use at any time.
 * Defines `timeouts`, for struct hrli_system. HRLI_TIMEOUTS_ARMED: start-up code has put in a node that is
 * due at `first` (schedule_tables.h).
 */
#define HRLI_TIMEOUTS(i, queue, begin, reach) HRLI_TIMEOUTS_OF(i, queue, begin, reach, )
#define HRLI_TIMEOUTS_ARMED(i, queue, begin, reach, first)                                         \
    HRLI_TIMEOUTS_OF(i, queue, begin, reach, hrli_one_shot_nodes_arm(&parts_##i, first);)
#define HRLI_TIMEOUTS_OF(i, queue, begin, reach, starts)                                           \
    HRLI_TIMEOUT_STORE(queue)                                                                      \
    extern struct hrli_one_shot hrl_gen_releaser_##i;                                              \
    HRLI_TIMEOUT_PARTS(i, &hrl_gen_releaser_##i.base, reach)                                       \
    static void start_##i(struct hrli_releaser *releaser)                                          \
    {                                                                                              \
        (void)releaser; /* no thread sleeps yet */                                                 \
        starts                                                                                     \
    }                                                                                              \
    static void serve_##i(struct hrli_releaser *releaser)                                          \
    {                                                                                              \
        (void)releaser;                                                                            \
        hrli_one_shot_nodes_serve(&parts_##i);                                                     \
    }                                                                                              \
    static const struct hrli_releaser_calls calls_##i = {NULL, start_##i, NULL, serve_##i, NULL};  \
    struct hrli_one_shot hrl_gen_releaser_##i = {.base = HRLI_RELEASER_BASE(i, begin, begin)};     \
    HRLI_TIMEOUT_PUT(i)                                                                            \
    HRLI_TIMEOUT_CALLS(i, queue, &hrl_gen_releaser_##i.base)                                       \
    HRLI_SHORT_ALARMS(i, queue)

/* The parts of HRLI_TIMEOUTS, for systems that define the releaser of time-outs, `releaser`, themselves. */
#define HRLI_TIMEOUT_STORE(queue) HRLI_QUEUE_STORE_OF(timeout_store, queue, hrli_timeout_release)
#define HRLI_TIMEOUT_PARTS(i, releaser, reach)                                                     \
    static const struct hrli_one_shot_parts parts_##i = {releaser, &store_##i, &timeout_store,     \
                                                         &cell_##i, reach};
#define HRLI_TIMEOUT_PUT(i)                                                                        \
    static void put_timeout(struct hrli_queue_node *node)                                          \
    {                                                                                              \
        hrli_one_shot_nodes_put(&parts_##i, node);                                                 \
    }
#define HRLI_TIMEOUT_CALLS(i, queue, releaser)                                                     \
    bool hrl_gen_insert_timeout(struct hrli_queue_node *node)                                      \
    {                                                                                              \
        bool is_first = queue##_insert(&store_##i, node);                                          \
                                                                                                   \
        HRLI_FORGET_NEAR(i)                                                                        \
        return is_first;                                                                           \
    }                                                                                              \
    static void remove_timeout(struct hrli_queue_node *node)                                       \
    {                                                                                              \
        HRLI_FORGET_NEAR(i)                                                                        \
        queue##_remove(&store_##i, node);                                                          \
    }                                                                                              \
    HRLI_TIMEOUTS_ARE(releaser)

#if HRLI_SMALL /* as what names put_timeout links it */
#define HRLI_TIMEOUTS_ARE(releaser)                                                                \
    void hrl_gen_put_timeout(struct hrli_queue_node *node)                                         \
    {                                                                                              \
        put_timeout(node);                                                                         \
    }                                                                                              \
    static const struct hrli_timeouts timeouts = {releaser, NULL, remove_timeout};
#elif HRL_CORES > 1 /* as there is one field more */
#define HRLI_TIMEOUTS_ARE(releaser)                                                                \
    static const struct hrli_timeouts timeouts = {releaser, put_timeout, remove_timeout,           \
                                                  hrl_gen_insert_timeout};
#else
#define HRLI_TIMEOUTS_ARE(releaser)                                                                \
    static const struct hrli_timeouts timeouts = {releaser, put_timeout, remove_timeout};
#endif

/*
 * In the handler of the cell (handler.h), acknowledged: what serves releaser `i`, with the words of
 * its own line.
 */
#define HRLI_SERVE_PERIODIC(i, kind, store)                                                        \
    if (cell_##i##_catches_up) {                                                                   \
        if (HRLI_PERIODIC_DEFERS_##kind(i)) {                                                      \
            hrl_gen_releaser_##i.base.deferred = true;                                             \
            cell_##i##_catch_up();                                                                 \
        } else if (__builtin_expect(!hrli_periodic_serve_next(&hrl_gen_releaser_##i, HRLI_KEPT(i), \
                                                              &HRLI_PERIODIC_STORE_##kind(store),  \
                                                              every_##i),                          \
                                    0)) {                                                          \
            serve_late_##i();                                                                      \
        }                                                                                          \
    } else {                                                                                       \
        HRLI_PERIODIC_INTERRUPT_##kind(&hrl_gen_releaser_##i, HRLI_KEPT(i),                        \
                                       &HRLI_PERIODIC_STORE_##kind(store), every_##i);             \
    }
#define HRLI_SERVE_PERIODIC_PARTNER(i, kind, store, with)                                          \
    HRLI_PERIODIC_INTERRUPT_##kind(&hrl_gen_releaser_##i, HRLI_KEPT(i),                            \
                                   &HRLI_PERIODIC_STORE_##kind(store), every_##i);                 \
    hrli_cooperative_visit(&parts_##with, &hrl_gen_releaser_##i);
#define HRLI_SERVE_ONE_SHOT(i, kind, store)                                                        \
    HRLI_ONE_SHOT_INTERRUPT_##kind(&hrl_gen_releaser_##i, &store_##i, &store##_store,              \
                                   &own_cell_##i);
#define HRLI_SERVE_COOPERATIVE(i) hrli_cooperative_interrupt(&parts_##i, &own_cell_##i);
#define HRLI_SERVE_ALL_TIMEOUTS(i) hrli_one_shot_nodes_interrupt(&parts_##i);
#define HRLI_SERVE_TIMEOUTS(i)                                                                     \
    if (HRLP_CPU_SHORTENS_ALARMS) {                                                                \
        HRLI_SERVE_SHORTLY(i)                                                                      \
        return; /* a dispatch has been asked for */                                                \
    }                                                                                              \
    HRLI_SERVE_ALL_TIMEOUTS(i)

#define HRLI_RELEASER_CALLS(i, kind, store)                                                        \
    static void enrol_##i(struct hrli_releaser *releaser, struct hrli_waiter *waiter)              \
    {                                                                                              \
        HRLI_ENROL_##kind(i, store);                                                               \
    }                                                                                              \
    HRLI_RUN_##kind(i) static const struct hrli_releaser_calls calls_##i = {                       \
        enrol_##i, start_##i, enqueue_##i, serve_##i, HRLI_RUNS_##kind(i)};

/* The loop of jobs of threads that wait in a delay queue, unless jobs are left in a way of their own. */
#define HRLI_RUN_QUEUE(i)                                                                          \
    HRLI_ASSEMBLED_INLINE bool enqueue_thread_##i(struct hrli_periodic_thread *self,               \
                                                  hrl_stamp from, uint32_t span)                   \
    {                                                                                              \
        return enqueue_##i((struct hrli_releaser *)&hrl_gen_releaser_##i, &self->waiter, from,     \
                           span);                                                                  \
    }                                                                                              \
    HRLI_ASSEMBLED void run_##i(void *self)                                                        \
    {                                                                                              \
        hrli_release_run_jobs(self, enqueue_thread_##i);                                           \
    }
#define HRLI_RUNS_QUEUE(i) HRLP_CPU_LEAVES ? NULL : run_##i
#define HRLI_RUN_STATIC(i)
#define HRLI_RUNS_STATIC(i) NULL

#define HRLI_RELEASER_BASE(i, served_last, first)                                                  \
    {                                                                                              \
        .served = (served_last), .next = (first), .cell = &cell_##i, .calls = &calls_##i           \
    }

#endif
