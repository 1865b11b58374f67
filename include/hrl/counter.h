/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_COUNTER_H
#define HRL_COUNTER_H

#include <hrl/types.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Counters: what drives schedule tables (hrl/schedule_table.h). A counter goes from 0 to its maximum and
 * then to 0 again. A software counter is incremented by the application, for example at each tooth of a
 * wheel; a clock counter has the low 32 bits of the system's clock (hrl/clock_counter.h).
 *
 *     HRL_COUNTER_DEFINE(crankshaft, 719, 1);
 *     in the interrupt: hrl_counter_increment(&crankshaft);
 *
 * With several cores a counter and the tables that it drives are of one core, that which increments the counter first, or
 * first makes a call for one of its tables. On another core such calls stop in hrl_assert_hook, with checks. Any core may
 * ask for the value of a counter and the state of a table, which may be others when the call returns.
 */
struct hrl_schedule_table;
struct hrl_alarm;

struct hrl_counter {
    uint32_t maximum;        /* its largest value */
    uint32_t minimum_cycle;  /* two points of a table are at least so many steps apart; from 1 on */
    volatile uint32_t value; /* of a software counter */
    volatile uint32_t total; /* its increments, modulo 2^32 */
    struct hrl_schedule_table *tables; /* those that run, the one started first is first */
    struct hrl_alarm *alarm; /* of a clock counter: expires at the next point; else NULL */
    void (*arm)(struct hrl_counter *counter); /* likewise */
    bool is_processing;                       /* likewise: its alarm has expired */
#if HRL_CORES > 1                             /* as there is another core only then */
    struct hrli_home home;                    /* with checks only */
#endif
};

/* Defines a software counter, which begins with 0. At file scope. */
#define HRL_COUNTER_DEFINE(counter_name, largest, least_cycle)                                     \
    HRLI_STATIC_ASSERT((least_cycle) >= 1, "the minimum cycle of a counter is at least 1");        \
    HRLI_STATIC_ASSERT((least_cycle) <= (largest),                                                 \
                       "the minimum cycle of a counter is at most its maximum");                   \
    struct hrl_counter counter_name = {largest,   least_cycle, 0,         0,                       \
                                       HRLI_NONE, HRLI_NONE,   HRLI_NONE, false HRLI_HOME_FIELD}

/*
 * Increments a software counter, and processes the points of its tables that are due then. All points of
 * that value are processed before anything runs that they activate. Context: any but above the kernel;
 * interrupts are masked for a time in proportion to the tables that run and to what their points do.
 */
void hrl_counter_increment(struct hrl_counter *counter);

/* The present value. Context: any. */
uint32_t hrl_counter_value(const struct hrl_counter *counter);

/*
 * The kernel's, of a clock counter: processes what is due; says when the next point is, by `due`, and whether
 * there is one.
 */
void hrli_counter_process(struct hrl_counter *counter);
bool hrli_counter_next(const struct hrl_counter *counter, uint32_t *due);

#ifdef __cplusplus
#define HRLI_NONE nullptr
}
#else
#define HRLI_NONE 0
#endif

#endif
