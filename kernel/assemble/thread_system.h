/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_THREAD_SYSTEM_H
#define HRLI_THREAD_SYSTEM_H

#include "core.h"
#include "cores.h"
#include "dispatch.h"
#include "handler.h"
#include "releaser.h"
#include "system.h"
#include "thread.h"
#include <hrl/kernel.h>
#include <stddef.h>

/*
 * What a system with threads has beside its releasers: periodic threads, the idle thread, the
 * start-up. At file scope, without a semicolon, unless a comment says otherwise.
 */

/*
 * Stack number `i`. On a board, where stacks have a section, its size is what the user says. In a
 * process it is larger: sanitizers and the C library need more than a board's code does.
 */
#if __STDC_HOSTED__ /* as a process has no such section */
#define HRLI_STACKS
#define HRLI_STACK_WORDS(bytes) (64 * 1024 / 8)
#else
#define HRLI_STACKS __attribute__((section(".hrl_stacks")))
#define HRLI_STACK_WORDS(bytes) ((bytes) / 8)
#endif
#define HRLI_STACK(i, bytes) static uint64_t hrl_gen_stack_##i[HRLI_STACK_WORDS(bytes)] HRLI_STACKS;

#define HRLI_IDLE(bytes)                                                                           \
    static uint64_t idle_stack[HRLI_STACK_WORDS(bytes)];                                           \
    static struct hrl_thread idle = {                                                              \
        .name = HRLI_TEXT("idle"), .stack = idle_stack, .stack_bytes = sizeof idle_stack};

#if HRL_RELEASE_MASKS /* as the node has more fields */
#define HRLI_THREAD_ALONE(at)                                                                      \
    {                                                                                              \
        .priority = (at), .mask_priority = HRLI_MASK_LEVELS, .mask_bit = (uint32_t)1 << (at)       \
    }
#define HRLI_THREAD_READY(at, bit)                                                                 \
    {                                                                                              \
        .priority = (at), .mask_priority = (at), .mask_bit = (bit)                                 \
    }
#else
#define HRLI_THREAD_READY(at, bit)                                                                 \
    {                                                                                              \
        .priority = (at)                                                                           \
    }
#endif

/*
 * An element of the array of periodic threads. `bit` is its bit among the threads of its level that
 * release masks release, `entry` its place in a harmonic array or NULL, `by` its releaser's number,
 * `first` the stamp of the first release; the rest are a struct hrli_period, its body, and what it
 * does after an overrun. HRLI_PERIODIC_ALONE: of a thread that masks release and that is always alone
 * on its level.
 */
#define HRLI_PERIODIC_THREAD(i, is_named, at, bit, ...)                                            \
    HRLI_PERIODIC_OF(i, is_named, HRLI_THREAD_READY(at, bit), __VA_ARGS__)
#define HRLI_PERIODIC_ALONE(i, is_named, at, ...)                                                  \
    HRLI_PERIODIC_OF(i, is_named, HRLI_THREAD_ALONE(at), __VA_ARGS__)
#define HRLI_PERIODIC_OF(i, is_named, in_ready, entry, by, first, whole, hops, part, of, begin,    \
                         calls, ...)                                                               \
    {                                                                                              \
        .thread = {.ready = in_ready,                                                              \
                   .name = HRLI_TEXT(is_named),                                                    \
                   .stack = hrl_gen_stack_##i,                                                     \
                   .stack_bytes = sizeof hrl_gen_stack_##i},                                       \
        .waiter = {.node = {.key = (first), HRLI_HARMONIC_ENTRY(entry)},                           \
                   .releaser = (struct hrli_releaser *)&hrl_gen_releaser_##by,                     \
                   .period = {(whole), (hops), (part), (of), (begin)}},                            \
        .body = (calls), HRLI_AFTER_OVERRUN_##__VA_ARGS__                                          \
    }
/* kernel/release/harmonic_array.h reads it. */
#if UINTPTR_MAX < UINT32_MAX
#define HRLI_HARMONIC_ENTRY(entry) .next = (struct hrli_queue_node *)(entry)
#else
#define HRLI_HARMONIC_ENTRY(entry) .spare = {(uintptr_t)(entry)}
#endif
#define HRLI_AFTER_OVERRUN_0 .queue_overruns = false
#define HRLI_AFTER_OVERRUN_1 .queue_overruns = true
#define HRLI_AFTER_OVERRUN_shared .is_shared = true

/* hrl_gen_prepare; the line lists HRLI_PREPARE_... */
#define HRLI_PREPARE(...)                                                                          \
    void hrl_gen_prepare(void)                                                                     \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define HRLI_PREPARE_STORE(i) store_##i##_init();
#define HRLI_PREPARE_BY_BIT(level)                                                                 \
    hrli_ready_masked(&hrli_core.ready)->by_bit[level] = by_bit_##level;

/* What is done before the clock starts, and after it, where there are basic tasks: `enrolment`. */
#define HRLI_PREPARE_ALL(...)                                                                      \
    static void prepare_all(HRLP_CONST struct hrli_system *system)                                 \
    {                                                                                              \
        (void)system;                                                                              \
        __VA_ARGS__                                                                                \
    }
#define HRLI_START_ALL(...)                                                                        \
    static void start_all(HRLP_CONST struct hrli_system *system)                                   \
    {                                                                                              \
        (void)system;                                                                              \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    static HRLP_CONST struct hrli_enrolment enrolment = {prepare_all, start_all};
#define HRLI_PREPARE_THREADS hrli_enrolment.prepare(system);
#define HRLI_START_THREADS hrli_enrolment.start(system);

/*
 * hrl_gen_system, of the arrays of threads and releasers, or NULL, and their lengths; `timeouts` and
 * `enrolment` are the objects that say how.
 */
#define HRLI_SYSTEM(threads, thread_count, releasers, releaser_count, timeouts, enrolment)         \
    HRLP_CONST struct hrli_system hrl_gen_system = {                                               \
        threads, thread_count, releasers, releaser_count,                                          \
        &idle,   &timeouts,    false,     &enrolment HRLI_AND_PREPARE};

/* The node of the thread at place `at` of the array, an element of by_bit_<level>. */
#define HRLI_THREAD_NODE(at) &hrl_gen_threads[at].thread.ready

/* No cell is kept for time-outs: code that asks for one stops in the assert hook. */
#define HRLI_NO_TIMEOUTS extern const struct hrli_timeouts hrli_no_timeouts __attribute__((weak));

/*
 * What the tool has to know of the kernel's objects to follow them from outside. Not loaded.
 * `masked` is 2 where masks release, else 1.
 */
#define HRLI_LAYOUT                                                                                \
    __attribute__((section(".hrl_layout"), used)) static const uint32_t layout[] = {               \
        HRL_RELEASE_MASKS ? 2u : 1u, sizeof(struct hrli_periodic_thread),                          \
        offsetof(struct hrli_periodic_thread, waiter.released),                                    \
        offsetof(struct hrli_releaser, served), HRLI_LAYOUT_OF_MASKS};

#if HRL_RELEASE_MASKS /* as only then the node has these fields */
#define HRLI_LAYOUT_OF_MASKS                                                                       \
    offsetof(struct hrli_periodic_thread, thread.ready.mask_priority),                             \
        offsetof(struct hrli_periodic_thread, thread.ready.mask_bit),                              \
        offsetof(struct hrli_core, ready.masked.waiting), HRLI_MASK_WORDS
#else
#define HRLI_LAYOUT_OF_MASKS
#endif

#endif
