/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_CASE_H
#define BENCH_CASE_H

#include "queue_node.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * `horolog bench queues` on the target: what main.c runs, on what, and how a call is measured.
 *
 * Nothing here measures. The tool's plugin (plugin/horolog_calls.c) watches the addresses of
 * bench_<operation>_from and bench_<operation>_to, and of bench_case_begin and bench_case_end, between
 * which calls count.
 */
enum { BENCH_CAPACITY = 1500 };

/* A function of a queue, of any type; only bench_call_<operation> calls it. */
typedef void (*bench_function)(void);

struct bench_queue {
    const char *name;
    void *storage;
    void (*init)(void);
    bench_function insert;
    bench_function first;
    bench_function pop;
};

/* queues.c; ends with a queue without a name. */
extern const struct bench_queue bench_queues[];

/* call.S: function(a, b), measured. Follows the procedure call standard, so types do not matter. */
bool bench_call_insert(void *a, struct hrli_queue_node *b, bench_function function);
struct hrli_queue_node *bench_call_first(void *a, struct hrli_queue_node *b,
                                         bench_function function);
void bench_call_pop(void *a, struct hrli_queue_node *b, bench_function function);

/* How keys follow one another in a case of one order; a slot is the 2^15 counts of queues.c. */
enum bench_order {
    BENCH_PERIODIC, /* no order: tasks with periods */
    BENCH_ASCENDING,
    BENCH_DESCENDING,
    BENCH_EQUAL,
    BENCH_EXTREMES,  /* the nearest, the furthest, the second nearest, ... */
    BENCH_ONE_SLOT,  /* all distinct, scattered over one slot */
    BENCH_SLOT_DOWN, /* all distinct, descending over one slot */
    BENCH_FAR,       /* all distinct, beyond any near window, scattered widely */
    BENCH_FAR_SLOT,  /* all distinct, beyond any near window, scattered over one slot */
    BENCH_POWERS,    /* powers of two, and a few counts beside them */
    BENCH_SAWTOOTH,  /* random from one count to the full horizon, every magnitude as often */
    BENCH_RANDOM,
};

struct bench_group {
    uint32_t period; /* counts */
    uint32_t tasks;
    uint32_t offset; /* of the first release, counts */
};

/*
 * `tasks` nodes: with BENCH_PERIODIC the tasks of all groups, shortest period first, each released at its
 * offset and then up to `end`, or a little beyond; otherwise nodes with keys that follow an order.
 */
struct bench_case {
    enum bench_order order;
    uint32_t tasks;
    uint32_t end; /* counts */
    const struct bench_group *groups;
    uint32_t group_count;
};

/* Generated: the queue to measure, by its name, and the cases. */
extern const char bench_queue_name[];
extern const struct bench_case bench_cases[];
extern const size_t bench_case_count;

#endif
