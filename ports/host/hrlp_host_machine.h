/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_HOST_MACHINE_H
#define HRLP_HOST_MACHINE_H

#include "hrlp_per_core.h"
#include <hrl/types.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The simulated machine: virtual time, interrupt lines, and one processor core, or several with
 * the header of ports/host/cores. What is said here of lines and cells, each core has.
 *
 * An instant here is the clock's count with 64 bits; the kernel sees the low 32. Cells and clock
 * interrupt at the kernel's priority (hrl/interrupt.h) unless they are given another; the lines
 * behind them, which software raises, are disabled until then. A more urgent one interrupts a
 * handler; of those that are pending the most urgent one is taken first, of these the lower line;
 * then the dispatch that they asked for, if any. A line that is raised while it is pending loses
 * the second cause.
 */

#ifndef HRLP_HOST_CORES /* hrlp_per_core_controller.h of ports/host/cores says it */
#define HRLP_HOST_CORES 1
#endif

enum {
    HRLP_HOST_CELLS = 8,
    HRLP_HOST_CLOCK_LINE = 8,
    HRLP_HOST_DOORBELL = 17, /* with several cores */
    HRLP_HOST_LINES = HRLP_HOST_CORES > 1 ? 18 : 17
};

/* What a run is to be; set before hrl_start, after hrlp_host_reset. */
struct hrlp_host_setup {
    hrl_counts clock_start; /* the count at which the clock starts: near 2^32 to see it wrap */
    hrl_stamp start;        /* t = 0 is the first instant with this stamp */
    hrl_counts duration;    /* the window; the first idle at or after its end finishes the run */
    hrl_counts limit;       /* counts after t = 0 at which a busy run is given up; 0: never */
    unsigned cells_early; /* cells interrupt so many counts early, at most HRLP_CELL_EARLY_COUNTS */
    /* Ends the run: "done" or "busy". Context: the stack that called hrl_start. Must not return. */
    void (*finish)(const char *status);
    /*
     * Is told of what happens, at the present instant; NULL: no observer.
     *   I cell, expiry       R task, instant        V releaser, instant
     *   S task, 0            E task, counts executed
     *   e task, counts executed: the same, of a job that activates others next
     *   P task, 0: it has activated them
     *   H handler, 0         F handler, 0: of an interrupt of the application, it begins and ends
     */
    void (*observe)(char kind, unsigned index, hrl_counts value);
    /*
     * How many counts pass in the port's next call, so that kernel code takes time and expiries
     * fall between any two of its steps; NULL: time stands still in the kernel.
     */
    hrl_counts (*port_call_counts)(void);
    /* What a job takes, of the `most` that its body would; NULL: all of it. */
    hrl_counts (*job_counts)(unsigned task, hrl_counts most);
    /*
     * A device on each line: it raises it at `first` after t = 0 and then every `gap`; 0: none does. With a
     * `burst` it raises it so often, and again `within` behind the first of these: no more than `burst`
     * times in any such time. `raised`: how often in this burst.
     */
    struct {
        hrl_counts first;
        hrl_counts gap;
        hrl_counts burst;
        hrl_counts within;
        hrl_counts raised;
        unsigned core; /* that it interrupts */
    } devices[HRLP_HOST_LINES];
    /*
     * Of several cores one runs at a time, for 1 to `turn_calls` calls of the port (0: 16), then any
     * that can: both are drawn from `seed`, so that a run can be repeated. Or all run at once, as the
     * process's threads do, which no one can repeat; then time stands still while any of them goes on.
     */
    uint64_t seed;
    unsigned turn_calls;
    bool at_once;
    /* Are told that `core` has taken a lock between cores, and that it is about to give it. */
    void (*took_lock)(unsigned core, unsigned lock);
    void (*gives_lock)(unsigned core, unsigned lock);
};
extern struct hrlp_host_setup hrlp_host_setup;

/* Puts the machine into its state after power-on; forgets the setup and all threads. Context: outside a run. */
void hrlp_host_reset(void);

/* The present instant; of t = 0; the instant nearest to now with that stamp. */
hrl_counts hrlp_host_now(void);
hrl_counts hrlp_host_window_start(void);
hrl_counts hrlp_host_instant(hrl_stamp stamp);

/* Prints why the simulation makes no sense any more (a broken contract, mostly) and aborts. */
_Noreturn void hrlp_host_fatal(const char *reason, unsigned index);

/* The rest is how the port's parts call each other. */
enum { HRLP_HOST_DISABLED = -1 };

void hrlp_host_start_time(void); /* the clock starts */
void hrlp_host_port_call(void);  /* at the head of every call of the port */
void hrlp_host_pass(hrl_counts counts, hrl_counts *charged); /* time passes; adds to *charged */
bool hrlp_host_mask(bool mask);                              /* returns what was */
void hrlp_host_link(void);                                   /* a linked load */
bool hrlp_host_is_linked(void); /* no interrupt, and no switch, has come since */
bool hrlp_host_in_handler(void);
bool hrlp_host_is_above(void);       /* in a handler above the kernel's priority */
bool hrlp_host_is_masked(void);      /* by hrlp_host_mask */
bool hrlp_host_interrupts_off(void); /* masked, or in a handler: those that may call the kernel */
bool hrlp_host_is_switching(void);   /* the dispatch runs, or was interrupted */
/* With what the handler has interrupted goes on, instead of what that did; NULL: as it was. */
void hrlp_host_redirect(void (*to)(void));
bool hrlp_host_interrupted(int level, int by); /* hrlp_line_interrupted of a controller */
void hrlp_host_request_switch(void);
void hrlp_host_begin_switch(void); /* one is under way without a request */
bool hrlp_host_take_switch(void); /* whether a switch is asked for; it is under way until a false */
_Noreturn void hrlp_host_idle(void);
void hrlp_host_enable(unsigned line, int priority); /* or HRLP_HOST_DISABLED */
void hrlp_host_raise(unsigned line, hrl_counts expiry);
void hrlp_host_raise_now(unsigned line); /* and lets it come */
void hrlp_host_raise_set(uint32_t set);  /* raises all of a set before any of them comes */
uint32_t hrlp_host_open(void);           /* the lines that are pending, or have a running handler */
bool hrlp_host_is_active(unsigned line); /* its handler runs */
int hrlp_host_ceiling(void);             /* of the lines that it holds off; -1: none */
void hrlp_host_set_ceiling(int level);
void hrlp_host_clear(unsigned line);  /* acknowledges */
void hrlp_host_forget(unsigned line); /* as clear, but serves nothing */
bool hrlp_host_pending(unsigned line);

/* The timers' (ports/cell/host). */
void hrlp_host_timers_reset(void);
void hrlp_host_timers_expire(void);     /* raises the lines of all that is due by now */
hrl_counts hrlp_host_timers_next(void); /* the earliest expiry; the largest number: none */
void hrlp_host_handle(unsigned line);   /* the line's handler */

/* The jobs' (jobs.c). */
void hrlp_host_look_for_end(void); /* whether the fiber has left its job */

/* The fibers' (cpu.c). */
extern HRLP_PER_CORE void *hrlp_host_fiber_local; /* each fiber sees its own */
void hrlp_host_fibers_reset(void);
void hrlp_host_dispatch(void);
void hrlp_host_yield(void);
void hrlp_host_end(const char *status); /* goes back to the first stack and finishes there */

/*
 * The cores' (cores/cores.c); with one core nothing calls these, but for the number. A core that
 * waits lets others run, and time pass if none can.
 */
#if HRLP_HOST_CORES > 1 /* as it is a variable only then */
extern HRLP_PER_CORE unsigned hrlp_host_core;
#else
enum { hrlp_host_core = 0 };
#endif
void hrlp_host_cores_reset(void);
void hrlp_host_cores_start(void);
void hrlp_host_cores_meet(void);
bool hrlp_host_offer_turn(void); /* true: other cores may have run since */
void hrlp_host_wait_until(hrl_counts until, uint32_t lines); /* or one of these is raised here */
void hrlp_host_wait_for_end(void);
void hrlp_host_raise_on(unsigned core, unsigned line);
uint32_t hrlp_host_raised_here(void); /* by other cores, since the last call */
void *hrlp_host_core_object(void *own, unsigned core);
void hrlp_host_lock_take(unsigned lock);
void hrlp_host_lock_give(unsigned lock);
void hrlp_host_guard(bool begin); /* of what the cores share in the port, as they may run at once */
const char *
hrlp_host_cores_end(const char *status); /* says it to all; returns what was said first */
void hrlp_host_cores_ended(void);        /* core 0: all others are gone; others go */
void hrlp_host_advance(hrl_counts to);   /* the present instant is `to` from now on */
void hrlp_host_timers_join(hrl_counts clock_start); /* the clock has started on another core */

#endif
