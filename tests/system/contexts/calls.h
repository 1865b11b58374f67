/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CALLS_H
#define CALLS_H

#include <hrl/types.h>
#include <stdbool.h>

/* Every public call, made so that it changes little and waits for nothing where it is allowed. */
struct call {
    const char *name; /* as in the table of docs/guide/contexts.md */
    void (*make)(void);
};

/* The call behind `before`, NULL for the first; NULL behind the last. */
const struct call *next_call(const struct call *before);

/* Those of counters and schedule tables (calls_tables.c). */
enum { TABLE_CALLS = 24 };
extern const struct call table_calls[TABLE_CALLS];

/* Those that take or tell times, and the console's (calls_time.c), which come last. */
enum { TIME_CALLS = 15 };
extern const struct call time_calls[TIME_CALLS];

/* What the contexts tell the calls. */
extern bool in_thread; /* a mutex can be locked, to be unlocked */
extern bool in_task;   /* the same of a resource */
extern bool is_above;  /* the lock cannot be taken, to be given back */

/* Every object as it was at first. Context: the thread that conducts, or start-up. */
void reset_objects(void);

/* Starts those that the calls are about. Context: start-up. */
void start_others(void);

/* Lets what a call has started or suspended come to its end. Context: the thread that conducts. */
void settle_others(void);

#endif
