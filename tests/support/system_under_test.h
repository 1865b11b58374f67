/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_SYSTEM_UNDER_TEST_H
#define SUPPORT_SYSTEM_UNDER_TEST_H

#include "core.h"
#include "hrlp_host_jobs.h"
#include "hrlp_host_machine.h"
#include "one_shot.h"
#include "periodic.h"
#include "thread.h"

/*
 * A whole system, built at run time out of the kernel's own parts, in place of generated code: up
 * to four releasers, one a cell, and any mixture of modes; run on the host port; what happened is
 * recorded.
 *
 *     sut_reset();
 *     sut_add_releaser((struct sut_releaser){.one_shot = true});
 *     sut_add_task((struct sut_task){.level = 3, .period = sut_period(25000, 1), .cost = 100});
 *     sut_run(1000000);
 *     ... sut_events[i], sut_periodic(0)->overruns ...
 */
enum { SUT_RELEASERS = 4, SUT_TASKS = 64, SUT_EVENTS = 400000 };

/*
 * The rate that nanoseconds are converted by. Tests may write another one into hrl_gen_clock_rate.
 */
#define SUT_CLOCK_HZ 25000000u

/* t = 0 is this many counts after the clock starts. */
#define SUT_START_COUNTS 25000u

/* The last two exist in builds with HRL_RELEASE_MASKS only. */
enum sut_store {
    SUT_SORTED_LIST,
    SUT_UNSORTED_LIST,
    SUT_HARMONIC_ARRAY,
    SUT_PERIOD_GROUPS,
    SUT_MASK_TABLE
};

struct sut_releaser {
    bool one_shot;
    bool cooperates;      /* a one-shot one, at most one: beside all periodic ones with tasks */
    bool timeouts;        /* serves the time-outs, and no task */
    enum sut_store store; /* has a task if it is none of the lists */
    uint32_t cell_period; /* of a periodic one */
    uint32_t divider;     /* 0: 1 */
    uint32_t numerator;   /* of the fraction of a count that its period has beside cell_period */
    uint32_t denominator; /* 0: none */
    uint32_t accumulated; /* of the denominator: the fraction of t = 0 */
    uint32_t span;        /* of a one-shot one; 0: half of what the cell can time */
};

struct sut_task {
    unsigned releaser;
    uint32_t level;
    hrl_stamp offset;
    struct hrli_period period;
    bool queue_overruns;
    hrl_counts cost;
    void (*body)(void); /* before the cost is consumed; may be NULL */
    bool is_shared;     /* its body runs several tasks, by kernel/thread/shared.h */
};

/* As hrlp_host_setup.observe tells it, and when. */
struct sut_event {
    hrl_counts at;
    char kind;
    unsigned index;
    hrl_counts value;
};

extern struct sut_event *sut_events;
extern size_t sut_event_count;

/* How many counts the next insertion into a store, and removal, takes; NULL: none. */
extern hrl_counts (*sut_insert_counts)(void);

/* Whether interrupts of periodic cells without partners serve one instant first, as of cells that catch up. */
extern bool sut_serves_next;
extern hrl_counts (*sut_remove_counts)(void);

/* The cells' handlers acknowledge and do no more: for tests of the cells themselves. */
extern bool sut_bare_cells;

/* What cell 0 does when it has acknowledged; NULL: as its releaser's mode does. */
extern void (*sut_cell_handler)(void);

/* The name of what ran when hrl_assert_hook was called. */
extern const char *sut_asserted_in;

/* What the dispatch does first (dispatch.h); NULL: nothing. */
extern void (*sut_leave)(struct hrl_thread *thread);

/* The dispatch counts the threads' run times (run_time.h). */
extern bool sut_counts_run_time;

/* The releases that hrl_overrun_hook was called for. */
extern unsigned sut_overrun_hooks[SUT_TASKS];

/* Called with the thread at each of these; NULL: nothing is. */
extern void (*sut_at_overrun)(struct hrl_thread *thread);

/* An empty system; the clock will start at 0. */
void sut_reset(void);

/* Numbers and cells count from 0. */
unsigned sut_add_releaser(struct sut_releaser releaser);
unsigned sut_add_task(struct sut_task task);

/* numerator / denominator counts, at least 1, as the kernel wants it. */
struct hrli_period sut_period(uint64_t numerator, uint32_t denominator);

/*
 * Runs for the window [0, duration) and to the idle after it. Returns the status, "busy" if that
 * idle has not come after hrlp_host_setup.limit, by default somewhat more than twice the duration.
 */
const char *sut_run(hrl_counts duration);

/* The part of it before the run: hrl_start may follow, as in a program. */
void sut_build(void);

/* The instant t = 0, once it has run. */
hrl_counts sut_zero(void);

struct hrl_thread *sut_thread(unsigned task);
struct hrli_periodic_thread *sut_periodic(unsigned task);
struct hrli_releaser *sut_releaser_of(unsigned releaser);

/* The ring of the store of time-outs, through its head: a sorted list. */
const struct hrli_queue_node *sut_timeouts(void);

/* The number of recorded events of a kind, about one index. */
size_t sut_count(char kind, unsigned index);

/*
 * A thread that is no task, started: in the order of the calls, when made between sut_reset and
 * sut_run. It has a stack of SUT_STACK_BYTES to be painted, and lives until the next sut_reset.
 */
enum { SUT_THREADS = 40, SUT_STACK_BYTES = 64 };
struct hrl_thread *sut_start(const char *name, uint32_t level, void (*entry)(void *argument),
                             void *argument);

/*
 * An entry for sut_start, whose argument is a thread: suspends it 1 s after the clock's start, and resumes
 * it at 181 s, which is more than a stamp can tell.
 */
void sut_suspend_from_1_to_181_s(void *thread);

/* The same, not started yet. */
struct hrl_thread *sut_define(const char *name, uint32_t level, void (*entry)(void *argument),
                              void *argument);

/* What happened, in order: words with a space behind each. */
extern char sut_notes[4096];
void sut_note(const char *word);

/*
 * Calls `handler` in an interrupt, `counts` from now; one at a time. Context: a thread or handler.
 */
void sut_interrupt_in(hrl_counts counts, void (*handler)(void));

/*
 * Runs the system until it is idle at or after `duration`, and expects that hrl_assert_hook is
 * called with this reason before.
 */
void sut_run_to_assertion(hrl_counts duration, const char *reason);

/* Makes a call outside a run, as start-up code does, and expects the same. */
void sut_call_to_assertion(void (*call)(void), const char *reason);

/* The n-th event of a kind about one index; fails the test if there is none. */
const struct sut_event *sut_nth(char kind, unsigned index, size_t n);

/* Simulates the interrupt of a releaser's cell without a cause: spurious ones must do no harm. */
void sut_interrupt(unsigned releaser);

#endif
