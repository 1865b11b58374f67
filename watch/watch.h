/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later */
#ifndef HOROLOG_WATCH_H
#define HOROLOG_WATCH_H

/*
 * Measures a firmware from outside: which steps were executed where, when interrupts entered, when jobs were
 * released, began and ended. A front end shows what a machine does (plugin/horolog_probe.c in QEMU,
 * rtl/sim/watch.cpp on the RTL boards); all else is here. A step is what a front end counts: an instruction
 * in QEMU, a cycle on the RTL boards.
 *
 * The firmware is not changed for it. The tool reads addresses from the ELF file and hands them over in a text
 * file, one item a line:
 *
 *   ns_per_instruction N      virtual time of one step
 *   steps_hz N                instead, where that is no whole number: so many steps are a second
 *   end_ns N                  relative to the window's start: the first idle step from here on ends the run, if
 *                             each releaser has served its instants
 *   late_ns N                 from here on it does so in any case
 *   limit_ns N                give up when the window has lasted this long and the system is not idle
 *   start_ns N                give up when the window has not opened after this long, since reset
 *   open_nth N                the window opens at the N-th entry of any interrupt below
 *   out PATH                  results
 *   trace PATH                events (optional)
 *   requests PATH             what cells request (optional)
 *   clock ADDRESS             with that: stores here start the clock
 *   function LO HI CLASS      [LO, HI), ascending; CLASS is k(ernel), b(ody), i(dle), l(ibrary); numbered from 0
 *   interrupt ADDRESS CUT     first instruction of a handler, and the time from which on an entry may be for
 *                             an instant outside the window; numbered from 0
 *   aside ADDRESS             the same of a handler that has nothing to do with releases: its entries are counted
 *                             in the window, and do not open it
 *   exception ADDRESS         first instruction of a handler of any exception: its entries are counted in the window
 *   job START END LOW HIGH    first and last address of a job and its thread's stack, [LOW, HIGH), which may be
 *                             an earlier job's, too; 0 and 0: it has no stack of its own (a basic task), and
 *                             when it ends, what it interrupted goes on; task numbered from 0
 *   server LOW HIGH           a stack, [LOW, HIGH), of a thread that runs basic tasks: behind all jobs
 *   other LOW HIGH            the same of a thread that runs no job, such as the idle one, where jobs wait: behind servers
 *   leave ADDRESS             an instruction at which a basic task's job ends early, if one runs
 *   switch LO HI              [LO, HI): the switch; what it loads from a stack is the next thread's
 *   threads BASE STRIDE N     stores to BASE + i * STRIDE are releases of task i
 *   thread I TASK             thread i is that task; without it, that of its own number
 *   waiting BASE LEVELS       words, one a level: threads that masks release, waiting, as bits
 *   masked I LEVEL BIT        thread i is bit number BIT of that level's word
 *   served ADDRESS INTERRUPT N          stores here are instants served by a releaser; its cell raises
 *                                       that interrupt; the first N are those of the window
 *   rows LOW COUNT AHEAD INTERRUPT N    as served, of a releaser with a table of COUNT rows, the first word of which
 *                                       is loaded when the row is served (one row behind the
 *                                       last is the end); if AHEAD is 1, when the row before it was served
 *                             releasers are numbered from 0
 *   row_bytes N                         of the tables in the lines behind this one; 8 without it, two words
 *   begins ADDRESS            the releaser of the line before, `rows`, serves rounds that begin when the application
 *                             says; when a row is served, the word here is the clock's value at its round's begin
 *
 * A front end may know more kinds of lines, which it describes.
 *
 * An interrupt is inside the window if it enters before its CUT, or if the releaser of the cell that raises it
 * has not served all instants of the window: then it is late for one of them. The first N instants
 * that a releaser serves are those of the window. What it serves beyond them is counted if it comes
 * before the CUT, or first behind an interrupt that is inside: it is one too many.
 *
 * The results have a line for each count: `status`, which is done, busy (never idle again), silent (the window never
 * opened), nesting (a task's jobs overlap) or untraceable; window_ns, total, releases, library_in_bodies,
 * elsewhere; for each interrupt taken, for each releaser served, for each function its steps and for each job
 * longest, with its number; where there are lines `exception`, and the front end sees them, exceptions, and of these the
 * tail_chained ones, before which no instruction was executed since the handler before returned; open_job for each that is unfinished; for each round `round ROW BEGIN NS`, with the first row
 * that was served, the word and when that was; `unread_rounds` is the number of words that the front end could not
 * read. Where steps are cycles, `instructions INDEX N` says how
 * many instructions of each function were executed in the window, and `body_instructions N` how many of bodies,
 * libraries that they call included.
 *
 * The trace has a line for each event, in order of time: nanoseconds, a letter, an index.
 *
 *   I    the interrupt of this number entered
 *   R    this task was released
 *   S E  its job began, ended
 *   D    its thread has the processor from here on
 *   N    a thread of a line `other` has it; the index is 0
 *   K    the index is how many steps of the kernel were executed since the last I; written behind an I
 *        that found a job open, before the next event that is no R: what the interruption took
 *
 * The file of requests has a line for each of these, from the start on: steps since then, a letter, an index.
 *
 *   C    the clock was started; the index is 0
 *   Q    what the front end calls by this number has requested its interrupt; behind it stands the clock's
 *        count, or as much of its lower bits as the front end says. Front ends that see no requests write none
 *   I S E   as above, also outside the window
 *
 * Library code is charged to the bodies while a job is open, to the kernel otherwise; a kernel that
 * called the library inside the window would have to be told apart, and neither measured one does.
 *
 * It expects one processor. Of a kernel that lets tasks run on any of several, each has a watch, and all but the
 * first follow that one: watch_follow(). C11 that C++ compiles, too.
 */
#include "watch/lines.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WATCH_LEVELS = 1024, WATCH_PATH_BYTES = 4096 };

#define WATCH_NONE SIZE_MAX      /* no task */
#define WATCH_NOWHERE UINT64_MAX /* an address that no instruction or word has */

struct watch_function {
    uint64_t low, high;
    char kind;             /* k, b, i, l */
    uint64_t count;        /* steps; the front end counts them */
    uint64_t instructions; /* of the window, if `counts_instructions`; the front end counts them */
};

struct watch_interrupt {
    uint64_t address, cut_ns;
    uint64_t taken;
    bool fresh; /* entered inside the window, and has served nothing yet */
    bool aside; /* it neither opens the window nor is an event */
};

struct watch_releaser {
    uint64_t address;
    uint64_t rows; /* how many; 0: it has no table, and `address` is stored to */
    uint64_t row_bytes;
    bool ahead;
    uint64_t row;    /* the one that is being served, or with `ahead` the one to come */
    uint64_t begins; /* where the clock's value at the begin of the round is, or WATCH_NOWHERE */
    uint64_t interrupt, instants, served;
    bool entering; /* it has served an instant, and the interrupt for it has not entered */
};

struct watch_stack {
    uint64_t low, high;
    size_t innermost; /* task of the open job that was begun on it last, or WATCH_NONE */
    size_t latest;    /* of a thread's: the one that began last, open or not; of a server: none */
    bool is_other;    /* it runs no job */
};

struct watch_job {
    uint64_t start, end;
    uint64_t stack_low;        /* 0: it is a basic task's, which has none */
    struct watch_stack *stack; /* NULL: so */
    size_t below;              /* the open job of the same stack on which it nests, or WATCH_NONE */
    uint64_t executed, longest;
    bool open;
};

struct watch_masked {
    uint64_t thread, level, bit;
};

struct watch_round {
    uint64_t row, ns;
    uint32_t begin;
};

/* Reads the word at `address` of the firmware's memory. Returns false if the front end cannot. */
typedef bool watch_word_reader(void *context, uint64_t address, uint32_t *word);

enum watch_event { WATCH_INTERRUPT, WATCH_JOB_START, WATCH_JOB_END, WATCH_LEAVE, WATCH_EXCEPTION };

/* An instruction at which something happens. */
struct watch_site {
    uint64_t address;
    enum watch_event event;
    size_t index; /* of the interrupt or task */
};

struct watch {
    /* Counted by the front end, in steps since the start, the one that goes on not included. */
    uint64_t total, body_total /* with libraries */, library_total, idle_total;
    uint64_t body_instructions; /* of the window, if `counts_instructions` */
    bool counts_instructions;
    bool counts_exceptions; /* the front end takes that back, if it does not see them */

    bool open; /* the window is */
    bool over; /* the results are written, or could not be: */
    bool unwritten;
    uint64_t opened_at, end_ns;
    uint64_t ns_per_step, steps_hz; /* one of them is 0 */
    uint64_t late_ns, limit_ns, start_ns, open_nth;
    char out_path[WATCH_PATH_BYTES];
    FILE *trace, *requests;
    uint64_t clock; /* stores here start the clock; WATCH_NOWHERE: it is not known */

    struct watch_function *functions; /* one more, behind all, is what is elsewhere */
    struct watch_interrupt *interrupts;
    struct watch_releaser *releasers;
    struct watch_job *jobs;
    struct watch_stack *stacks; /* in order of address */
    struct watch_site *sites;   /* so, too */
    struct watch_masked *masked;
    struct watch_round *rounds;
    size_t *thread_tasks; /* the tasks of the first threads */
    size_t function_count, interrupt_count, releaser_count, job_count, stack_count, site_count,
        masked_count, round_count, thread_task_count;
    watch_word_reader *read_word; /* NULL: it can read none; set behind watch_configure() */
    void *word_context;
    uint64_t unread_rounds;
    uint64_t switch_low, switch_high;
    uint64_t threads_base, threads_stride, threads_count;
    uint64_t row_bytes; /* of the tables in the lines that follow */
    uint64_t waiting_base, waiting_levels;
    uint32_t waits[WATCH_LEVELS]; /* for each level: the waiting threads, as bits */

    struct watch_stack first_stack; /* of the code that runs before there are threads */
    struct watch_stack *stack;      /* the one on which jobs run now */
    uint64_t charged;               /* what bodies executed is charged to jobs up to here */
    uint64_t entries, releases;
    uint64_t exceptions, tail_chained; /* of the window */
    size_t open_jobs;                  /* counted here unless `shares` */
    bool shares;                       /* jobs and stacks with watches of other processors */
    uint64_t library_in_bodies, library_at_first, library_charged;
    bool interrupted; /* the last event but releases was an interrupt that found a job open */
    uint64_t kernel_at_entry;
};

/* --- The configuration: all of it is read before anything is watched ------------------------------ */

/*
 * Reads the file at `path`; a line of a kind that only this front end knows is for `own`, which may be NULL. Returns
 * false, and writes into `why`, which has `size` bytes, what is wrong, if the file cannot be used.
 */
bool watch_configure(struct watch *watch, const char *path, watch_line_reader *own, void *context,
                     char *why, size_t size);
/*
 * Of `own`: adds a releaser that leaves no mark in memory, as watch_announce() tells when it serves. Returns false if
 * there is no such interrupt.
 */
bool watch_add_releaser(struct watch *watch, uint64_t interrupt, uint64_t instants);

/*
 * Of a kernel with tasks that run on any of several processors: `watch`, of one of them, knows jobs and stacks as `leader`,
 * which is configured for the same tasks. watch_open() opens its window, when that of `leader` has opened.
 */
void watch_follow(struct watch *watch, struct watch *leader);
void watch_open(struct watch *watch);

/* The function that `address` lies in. */
struct watch_function *watch_function_at(const struct watch *watch, uint64_t address);
/* The first of the sites at `address` and how many there are. */
const struct watch_site *watch_sites_at(const struct watch *watch, uint64_t address, size_t *count);

/* --- What happens. After each of these, the watch may be over --------------------------------------- */

/* The instruction at `site` is about to be executed. */
void watch_reach(struct watch *watch, const struct watch_site *site);
/* A handler is entered as an exception, in the place of watch_reach(), which knows of no chains. */
void watch_exception(struct watch *watch, bool tail_chained);
/* The switch loads from `address`. */
void watch_switch_load(struct watch *watch, uint64_t address);
/* The kernel loads from or stores to `address`. Stores to words of waiting threads are told by watch_wait(). */
void watch_load(struct watch *watch, uint64_t address);
void watch_store(struct watch *watch, uint64_t address);
/* The word of the threads that wait at `level` is `word` now: those that do so no more are released. */
void watch_wait(struct watch *watch, uint64_t level, uint32_t word);
/*
 * The interrupt of `source`, a number of the front end's, was requested so many steps after the start, when the clock
 * was `count`.
 */
void watch_request(struct watch *watch, uint64_t steps, uint64_t source, uint64_t count);
/* `task` is released. */
void watch_release(struct watch *watch, uint64_t task);
/* This releaser serves an instant, and its interrupt is still to enter. */
void watch_announce(struct watch *watch, size_t releaser);

/* Whether all that is due in the window was served, `end_ns` having passed. */
bool watch_all_served(const struct watch *watch, uint64_t now);
/* "busy" or "silent" if the firmware takes too long, or NULL. Any thread may ask. */
const char *watch_too_long(const struct watch *watch);
/* Writes the results: the watch is over. */
void watch_finish(struct watch *watch, const char *status);

/* How long so many steps last, in nanoseconds, rounded down; exact, as long as it goes on. */
static inline uint64_t watch_ns(const struct watch *watch, uint64_t steps)
{
    const uint64_t second = 1000000000, hz = watch->steps_hz;

    if (hz == 0) {
        return steps * watch->ns_per_step;
    }
    return steps / hz * second + steps % hz * second / hz;
}

/* The fewest steps that last so long: from there on watch_ns() is `ns` at least. */
static inline uint64_t watch_steps(const struct watch *watch, uint64_t ns)
{
    const uint64_t second = 1000000000, hz = watch->steps_hz;

    if (hz == 0) {
        return ns / watch->ns_per_step + (ns % watch->ns_per_step != 0 ? 1 : 0);
    }
    return ns / second * hz + (ns % second * hz + second - 1) / second;
}

/* Nanoseconds since the window opened. */
static inline uint64_t watch_now_ns(const struct watch *watch)
{
    return watch_ns(watch, watch->total - watch->opened_at);
}

/* Whether the window is over, now that the system is idle. */
static inline bool watch_is_done(const struct watch *watch)
{
    return watch->open && watch_now_ns(watch) >= watch->end_ns &&
           watch_all_served(watch, watch_now_ns(watch));
}

/* Whether a job is open; where jobs change processors, one that runs on this one. */
static inline bool watch_in_job(const struct watch *watch)
{
    return watch->shares ? watch->stack->innermost != WATCH_NONE : watch->open_jobs > 0;
}

/* So many steps of bodies are no job's: what is executed from a job's end to its return. */
static inline void watch_skip(struct watch *watch, uint64_t steps)
{
    watch->charged += steps;
}

/*
 * Of a front end that charges cycles: charges `cycles` to `to`; `returning` says that they are of a body behind its job's
 * end. The time, `total`, is the front end's.
 */
static inline void watch_charge(struct watch *watch, struct watch_function *to, uint64_t cycles,
                                bool returning)
{
    to->count += cycles;
    if (to->kind == 'i') {
        watch->idle_total += cycles;
    }
    if (to->kind == 'b' || to->kind == 'l') {
        watch->body_total += cycles;
        watch_skip(watch, returning ? cycles : 0);
    }
    if (to->kind == 'l') {
        watch->library_total += cycles;
    }
}

/* So many instructions of `function` were executed. */
static inline void watch_count_instructions(struct watch *watch, struct watch_function *function,
                                            uint64_t instructions)
{
    function->instructions += instructions;
    if (function->kind == 'b' || (function->kind == 'l' && watch->open_jobs > 0)) {
        watch->body_instructions += instructions;
    }
}

/* In steps: the window may be over, if the system is idle; it has taken too long. They change when the window opens. */
struct watch_looks {
    uint64_t done_from, look_at;
};

static inline struct watch_looks watch_looks(const struct watch *watch)
{
    struct watch_looks looks = {UINT64_MAX, watch_steps(watch, watch->start_ns + 1)};

    if (watch->open) {
        looks.done_from = watch->opened_at + watch_steps(watch, watch->end_ns);
        looks.look_at = watch->opened_at + watch_steps(watch, watch->limit_ns + 1);
    }
    return looks;
}

/* Whether there is a word of waiting threads at `address`, and of which level. */
static inline bool watch_is_waiting_word(const struct watch *watch, uint64_t address,
                                         uint64_t *level)
{
    *level = (address - watch->waiting_base) / 4;
    return address - watch->waiting_base < watch->waiting_levels * 4;
}

#ifdef __cplusplus
}
#endif

#endif
