/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_TIMING_H
#define HRLI_TIMING_H

#include "cell_releaser.h"
#include "counting.h"
#include "handler.h"
#include "slice.h"
#include "slice_unified.h"
#include "slice_unified_ns.h"

/*
 * A timing model becomes code, in a system without periodic threads: how sleeps, time-outs and time
 * slices share cells. The store of sleeps and time-outs is store_0, of `queue`, and arm_cell arms
 * their cell. At file scope, without a semicolon:
 *
 *     HRLI_ARM_CELL(hrlp_cmsdk_timer, 0, arm)
 *     HRLI_TIMING_one_plus_n(leftist_heap, 25000u, 25000000u, hrlp_cmsdk_timer, 0, hrlp_systick, 0,
 *                            SysTick_Handler)
 *
 * All take the queue, counts of a slice, counts a second, the cell, and the cell of the slices with its
 * handler, and define `wake_ups`, the releaser, with serve_wake_ups, its releaser_calls' serve;
 * TIMING_HAS_SLICES and TIMING_PRIORITY, the cell's. Of the same arguments are HRLI_LEAVE_<model>, what
 * a switch does for them, HRLI_INTERRUPT_<model>, what the cell's handler does, acknowledged, and
 * HRLI_START_<model>, what is done once the clock runs, if there are slices.
 */
#if HRLP_CPU_IS_SHORT && HRL_CORES == 1 /* three functions share these instructions */
#define HRLI_ARM_CELL_IS __attribute__((noinline))
#else
#define HRLI_ARM_CELL_IS
#endif
#define HRLI_ARM_CELL(device, instance, verb)                                                      \
    HRLI_SHORT_NODES(0)                                                                            \
    static HRLI_ARM_CELL_IS void arm_cell(hrl_stamp due)                                           \
    {                                                                                              \
        HRLI_FORGET_NEAR(0)                                                                        \
        device##_##verb(instance, due);                                                            \
    }                                                                                              \
    HRLI_ARM_NEAR(0, device, instance)

/* No time slices. */
#define HRLI_TIMING_none(queue, ...)                                                               \
    static const struct hrlp_cell cell_0 = {NULL, arm_cell, NULL}; /* never periodic */            \
    HRLI_WAKE_UPS(queue)                                                                           \
    HRLI_TIMING_IS(0, HRLP_IRQ_OF_DISPATCH)
#define HRLI_LEAVE_none(...)
#define HRLI_INTERRUPT_none(...) HRLI_SERVE_TIMEOUTS(0)
#define HRLI_START_none(...)

/*
 * The 1+N paper's Listing 1. The cell interrupts once a slice, which is all the time there is: a
 * sleeping thread wakes at the first tick not before its instant, and the running thread's slice ends
 * at each. A thread that holds dispatch off keeps the processor until the next.
 */
#define HRLI_TIMING_tick(queue, slice, hz, device, instance, ...)                                  \
    HRLI_ASSEMBLED void start_ticks(hrl_stamp first, uint32_t period)                              \
    {                                                                                              \
        device##_start_periodic(instance, first, period);                                          \
    }                                                                                              \
    static const struct hrlp_cell cell_0 = {start_ticks, arm_cell, NULL};                          \
    static struct hrli_periodic ticks = {                                                          \
        .base = {.cell = &cell_0}, .cell_period = (slice), .divider = 1};                          \
    static struct hrli_releaser *const wake_ups = &ticks.base;                                     \
    static void serve_wake_ups(struct hrli_releaser *releaser)                                     \
    {                                                                                              \
        hrli_periodic_serve((struct hrli_periodic *)releaser, &store_0, &timeout_store, 1u);       \
    }                                                                                              \
    static void put_timeout(struct hrli_queue_node *node)                                          \
    {                                                                                              \
        hrli_periodic_put(&ticks, node, &store_0, &timeout_store);                                 \
    }                                                                                              \
    HRLI_TIMEOUT_CALLS(0, queue, &ticks.base)                                                      \
    HRLI_TIMING_IS(1, HRL_INTERRUPT_KERNEL)
#define HRLI_LEAVE_tick(...)
#define HRLI_INTERRUPT_tick(...)                                                                   \
    hrli_periodic_interrupt(&ticks, &store_0, &timeout_store, 1u);                                 \
    (void)hrli_slice_end();
#define HRLI_START_tick(queue, slice, ...) /* from now on: the clock has run since its start */    \
    ticks.base.served = hrlp_clock_read() - 1u;                                                    \
    ticks.base.next = hrlp_clock_read() + (slice);                                                 \
    hrli_periodic_start(&ticks);

/* The 1+N paper's Listing 2, in counts and in nanoseconds: sleeps and slices on one cell. */
#define HRLI_TIMING_unified(queue, ...) HRLI_TIMING_OF_ONE_CELL(queue, unified, HRLI_WITHOUT_CLOCK)
#define HRLI_TIMING_unified_ns(queue, slice, hz, ...)                                              \
    static const struct hrli_slice_clock slice_clock = {HRLI_NS_PER_COUNT(hz),                     \
                                                        HRLI_COUNTS_PER_NS(hz)};                   \
    HRLI_TIMING_OF_ONE_CELL(queue, unified_ns, HRLI_AND_CLOCK)
#define HRLI_LEAVE_unified(queue, slice, ...) hrli_slice_unified_restart(&slices, slice, arm_cell);
#define HRLI_LEAVE_unified_ns(queue, slice, hz, ...)                                               \
    hrli_slice_unified_ns_restart(&slices, HRLI_SLICE_NS(slice, hz), &slice_clock, arm_cell);
#define HRLI_INTERRUPT_unified(queue, slice, hz, device, ...)                                      \
    HRLI_PASS_ON(unified, device)                                                                  \
    hrli_slice_unified_interrupt(&slices, slice, arm_cell, serve_interrupt);
#define HRLI_INTERRUPT_unified_ns(queue, slice, hz, device, ...)                                   \
    HRLI_PASS_ON(unified_ns, device)                                                               \
    hrli_slice_unified_ns_interrupt(&slices, HRLI_SLICE_NS(slice, hz), &slice_clock, arm_cell,     \
                                    serve_interrupt);
#if HRL_CORES > 1 /* as only a cell that several cores share can ring */
#define HRLI_PASS_ON(kind, device) hrli_slice_##kind##_pass_on(&slices, device##_ring);
#else
#define HRLI_PASS_ON(kind, device)
#endif
#define HRLI_START_unified(queue, slice, ...)                                                      \
    hrli_slice_unified_begin(&slices, slice);                                                      \
    wake_never();
#define HRLI_START_unified_ns(queue, slice, hz, ...)                                               \
    hrli_slice_unified_ns_begin(&slices, HRLI_SLICE_NS(slice, hz), &slice_clock);                  \
    wake_never();
#define HRLI_SLICE_NS(slice, hz) ((uint64_t)(slice)*HRLI_NS_PER_S / (hz))
#define HRLI_WITHOUT_CLOCK /* counts are not converted */
#define HRLI_AND_CLOCK , &slice_clock
#define HRLI_TIMING_OF_ONE_CELL(queue, kind, and_clock)                                            \
    static struct hrli_slice_##kind slices;                                                        \
    static void wake_at(hrl_stamp due)                                                             \
    {                                                                                              \
        hrli_slice_##kind##_wake_at(&slices, due and_clock, arm_cell);                             \
    }                                                                                              \
    static void wake_never(void)                                                                   \
    {                                                                                              \
        hrli_slice_##kind##_wake_never(&slices and_clock, arm_cell);                               \
    }                                                                                              \
    static const struct hrlp_cell cell_0 = {NULL, wake_at, wake_never};                            \
    HRLI_WAKE_UPS(queue)                                                                           \
    HRLI_ASSEMBLED void serve_interrupt(void){HRLI_SERVE_ALL_TIMEOUTS(0)} HRLI_TIMING_IS(          \
        1, HRL_INTERRUPT_KERNEL)

/* The 1+N paper's Listing 3: slices have a cell of their own. */
#define HRLI_TIMING_one_plus_n(queue, slice, hz, device, instance, slicer, at, handler)            \
    static const struct hrlp_cell cell_0 = {NULL, arm_cell, NULL}; /* never periodic */            \
    HRLI_WAKE_UPS(queue)                                                                           \
    HRLI_TIMING_IS(1, HRLP_IRQ_OF_DISPATCH)                                                        \
    HRLI_ASSEMBLED void slice_interrupt(void)                                                      \
    {                                                                                              \
        if (slicer##_slice_is_over(at) && !hrli_slice_end()) {                                     \
            slicer##_slice_prolong(at, HRLI_SLICE_PROLONGED_COUNTS, slice);                        \
        }                                                                                          \
    }                                                                                              \
    HRLI_HANDLER(handler, slicer##_acknowledge(at); HRLI_LOCKED(slice_interrupt();))
#define HRLI_LEAVE_one_plus_n(queue, slice, hz, device, instance, slicer, at, handler)             \
    slicer##_slice_restart(at);
#define HRLI_INTERRUPT_one_plus_n(...) HRLI_SERVE_TIMEOUTS(0)
#define HRLI_START_one_plus_n(queue, slice, hz, device, instance, slicer, at, handler)             \
    slicer##_prepare(at, HRL_INTERRUPT_KERNEL);                                                    \
    slicer##_slice_start(at, slice);

#define HRLI_TIMING_IS(has_slices, priority)                                                       \
    enum { TIMING_HAS_SLICES = has_slices, TIMING_PRIORITY = priority };

/*
 * No time slices. The cell interrupts every `slice` counts: sleeping threads wake, and alarms expire, at the first of
 * these instants that is not before their own. An interrupt at which nothing is due only counts (counting.h). Needs
 * a cell with <device>_COUNTING_HANDLER.
 */
#define HRLI_TIMING_counting(queue, slice, hz, device, instance, ...)                              \
    static void start_ticks(hrl_stamp first, uint32_t period)                                      \
    {                                                                                              \
        device##_start_periodic(instance, first, period);                                          \
    }                                                                                              \
    static hrl_stamp last(void)                                                                    \
    {                                                                                              \
        return device##_last(instance, slice);                                                     \
    }                                                                                              \
    static bool is_late(void)                                                                      \
    {                                                                                              \
        return device##_is_late(instance, slice);                                                  \
    }                                                                                              \
    static void advance(void)                                                                      \
    {                                                                                              \
        device##_advance(instance, slice);                                                         \
    }                                                                                              \
    static const struct hrlp_cell cell_0 = {start_ticks, arm_cell, NULL};                          \
    struct hrli_counting hrl_gen_counting = {.base = {.cell = &cell_0}};                           \
    static struct hrli_releaser *const wake_ups = &hrl_gen_counting.base;                          \
    HRLI_ASSEMBLED_INLINE bool stay(struct hrli_queue_node *first, uint32_t counts)                \
    {                                                                                              \
        return queue##_stay(&store_0, first, counts);                                              \
    }                                                                                              \
    HRLI_ASSEMBLED void put_off(struct hrli_queue_node *first, hrl_stamp key)                      \
    {                                                                                              \
        queue##_put_off(&store_0, first, key);                                                     \
    }                                                                                              \
    static const struct hrli_counting_parts counting = {                                           \
        &hrl_gen_counting, &short_alarms_0, &store_0, &timeout_store, slice, stay, last,           \
        is_late,           advance};                                                               \
    static void serve_wake_ups(struct hrli_releaser *releaser)                                     \
    {                                                                                              \
        (void)releaser;                                                                            \
        hrli_counting_serve(&counting);                                                            \
    }                                                                                              \
    static void put_timeout(struct hrli_queue_node *node)                                          \
    {                                                                                              \
        hrli_counting_put(&counting, node);                                                        \
    }                                                                                              \
    static __attribute__((noinline)) void serve_counting(void)                                     \
    {                                                                                              \
        hrli_counting_rest(&counting);                                                             \
    }                                                                                              \
    static __attribute__((noinline)) void move_alarm(struct hrl_alarm *alarm, uint32_t counts)     \
    {                                                                                              \
        hrli_counting_move(&counting, alarm, counts, put_off);                                     \
    }                                                                                              \
    HRLI_TIMEOUT_CALLS(0, queue, &hrl_gen_counting.base)                                           \
    HRLI_TIMING_IS(1, HRLP_IRQ_OF_DISPATCH)
#define HRLI_LEAVE_counting(...)
#define HRLI_INTERRUPT_counting(...)                                                               \
    if (!hrli_counting_interrupt(&counting, move_alarm)) {                                         \
        serve_counting();                                                                          \
    }                                                                                              \
    return; /* a dispatch has been asked for */
#define HRLI_START_counting(queue, slice, ...)                                                     \
    hrl_gen_counting.base.next = hrlp_clock_read() + (slice);                                      \
    cell_0.start_periodic(hrl_gen_counting.base.next, slice);                                      \
    (void)hrli_counting_aim(&counting);

/* What clears the cause of the cell's interrupt, for a model: all but the tick arm the cell. */
#define HRLI_ACKNOWLEDGE_none HRLI_ACKNOWLEDGE_ONCE
#define HRLI_ACKNOWLEDGE_tick HRLI_ACKNOWLEDGE
#define HRLI_ACKNOWLEDGE_unified HRLI_ACKNOWLEDGE_ONCE
#define HRLI_ACKNOWLEDGE_unified_ns HRLI_ACKNOWLEDGE_ONCE
#define HRLI_ACKNOWLEDGE_one_plus_n HRLI_ACKNOWLEDGE_ONCE

/* The cell's handler, for a model: `name`, which does the rest of the line. */
#define HRLI_CELL_HANDLER_none(queue, slice, hz, device, instance, name, ...)                      \
    HRLI_HANDLER(name, HRLI_ACKNOWLEDGE_ONCE(device, instance) __VA_ARGS__)
#define HRLI_CELL_HANDLER_tick(queue, slice, hz, device, instance, name, ...)                      \
    HRLI_HANDLER(name, HRLI_ACKNOWLEDGE(device, instance) __VA_ARGS__)
#define HRLI_CELL_HANDLER_unified HRLI_CELL_HANDLER_none
#define HRLI_CELL_HANDLER_unified_ns HRLI_CELL_HANDLER_none
#define HRLI_CELL_HANDLER_one_plus_n HRLI_CELL_HANDLER_none
#define HRLI_CELL_HANDLER_counting(queue, slice, hz, device, instance, name, ...)                  \
    device##_COUNTING_ENTRY(name, name##_due, name##_late, instance, slice, hrl_gen_counting.left, \
                            slice) void name##_due(void);                                          \
    void name##_late(void);                                                                        \
    __attribute__((used)) void name##_due(void)                                                    \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    __attribute__((used)) void name##_late(void)                                                   \
    {                                                                                              \
        serve_counting();                                                                          \
    }

/* How far ahead the cell is armed, counts (hrli_one_shot_cell.span): the file that describes the system may say less. */
#ifndef HRLI_TIMING_REACH
#define HRLI_TIMING_REACH ((uint32_t)1 << 31)
#endif

/* The releaser of all models but the tick: one-shot over cell_0. */
#define HRLI_WAKE_UPS(queue)                                                                       \
    static struct hrli_releaser wake_ups_on_cell;                                                  \
    static struct hrli_releaser *const wake_ups = &wake_ups_on_cell;                               \
    HRLI_TIMEOUT_PARTS(0, &wake_ups_on_cell, HRLI_TIMING_REACH)                                    \
    static void serve_wake_ups(struct hrli_releaser *releaser)                                     \
    {                                                                                              \
        (void)releaser;                                                                            \
        hrli_one_shot_nodes_serve(&parts_0);                                                       \
    }                                                                                              \
    HRLI_TIMEOUT_PUT(0)                                                                            \
    HRLI_TIMEOUT_CALLS(0, queue, &wake_ups_on_cell)                                                \
    HRLI_SHORT_ALARMS(0, queue)

/*
 * Masks interrupts around the statements where basic tasks may interrupt this handler and call the kernel. The
 * timing models assume that nothing interrupts them.
 */
#define HRLI_LOCKED(...)                                                                           \
    {                                                                                              \
        const bool locks = HRL_BASIC_TASKS && HRLP_LINE_CONTROLLER;                                \
        hrlp_irq_state state = locks ? hrlp_irq_lock() : HRLP_IRQ_UNLOCKED;                        \
                                                                                                   \
        __VA_ARGS__                                                                                \
        if (locks) {                                                                               \
            hrlp_irq_unlock(state);                                                                \
        }                                                                                          \
    }

#endif
