/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a core suspends and resumes a thread of another (change_elsewhere.c, changes.c, lifecycle.c, rung.c,
 * dispatch.h, core.h), while other cores wake it and its time-out passes, as a model for SPIN: no wake-up is lost, a thread that is
 * suspended does not stay ready, one that is not does not stay away, and each call takes effect.
 *
 *     spin -DCORES=2 -a changes.pml && cc -DSAFETY -o pan pan.c && ./pan        # no error
 *
 * One thread of core 0 waits again and again, for ever or for an instant, and holds dispatch off at times. The
 * idle thread runs while it does not. Each other core suspends it, resumes it, and gives what it waits for. Each access
 * to what another core or context may access at the same time is a step; the ready queue is a bit that
 * is changed in two. The lock is one that cores get in any order (core/sync_lock.pml is about the real one), and
 * the doorbell may be late. The thread itself leaves word, too, as one that waits for a mutex does of the owner. A search of more than one thread would add the list's order, on which nothing depends.
 *
 * tests/model/test_core_protocols.py runs it, and breaks it.
 */
#ifndef CORES
#define CORES 2
#endif

bool lock;

/* The thread: what it waits for, and what others ask for. */
bool waiting, is_woken, is_changed, suspended;
bool armed, expired;   /* its time-out */
bool given;            /* its wait has ended by a waker, and it has not run since */

/* Core 0. */
bool woken, changed;   /* its lists */
bool ready;
bool running;          /* the thread does; else the idle thread */
bool held_off;         /* dispatch is */
bool in_service;       /* and the thread does not wait */
bool masked;           /* interrupts are */
bool rung, asked;      /* pending: the doorbell, the dispatch */
bool handler_runs, dispatch_runs;
bool busy;             /* the thread is about to ask for the dispatch */

#define HAS_NOTHING_TO_WAIT_FOR (!is_woken && (!waiting || expired))

inline sync_lock()
{
    masked = true;
    atomic { !lock -> lock = true }
}

inline sync_unlock()
{
    lock = false;
    masked = false
}

inline list_it()       /* hrli_change_soon, on core 0: the caller asks for the dispatch, or allows it again */
{
    if
    :: !is_changed -> is_changed = true; changed = true
    :: else
    fi
}

inline change()        /* on another core */
{
    list_it();
    rung = true
}

proctype other()
{
    do
    :: atomic { !lock -> lock = true };
       if
       :: suspended = true; change()
       :: suspended = false; change()
       :: waiting -> /* hrli_wake_elsewhere */
              rung = true;
              assert(!is_woken);
              d_step { waiting = false; given = true };
              is_woken = true;
              woken = true
       fi;
       lock = false
    od
}

inline make_ready()
{
    if
    :: !suspended -> ready = true
    :: else
    fi
}

/* hrli_core_rung, of higher priority than the dispatch */
proctype doorbell()
{
    bool any;

    do
    :: atomic { rung && !masked && !handler_runs -> handler_runs = true; rung = false };
       sync_lock();
       d_step { any = woken; woken = false };
       sync_unlock();
       if
       :: any ->
              masked = true;
              is_woken = false;
              make_ready();
              masked = false
       :: else
       fi;
       any = false;
       if
       :: changed && !held_off -> asked = true
       :: else
       fi;
       asked = asked || (!held_off && ready && !running);
       handler_runs = false
    od
}

/* hrli_timeout_release */
proctype timeouts()
{
    do
    :: atomic { armed && !masked && !handler_runs -> handler_runs = true };
       masked = true;
       d_step { armed = false; expired = true };
       make_ready();
       masked = false;
       asked = asked || (!held_off && ready && !running);
       handler_runs = false
    od
}

/* hrli_dispatch_switch, with hrli_changes_apply */
proctype dispatch() provided (!handler_runs)
{
    do
    :: atomic { asked && !masked -> dispatch_runs = true; asked = false };
       assert(!in_service);
       held_off = false; /* the threshold is 0 */
       do
       :: changed ->
              sync_lock(); /* take_changed */
              changed = false;
              is_changed = false;
              sync_unlock();
              sync_lock(); /* hrli_suspension_apply */
              if
              :: suspended -> ready = false
              :: !suspended && !ready && HAS_NOTHING_TO_WAIT_FOR -> ready = true
              :: else
              fi;
              sync_unlock()
       :: else -> break
       od;
       skip; /* as a branch must not lead into what follows */
       d_step { running = ready; busy = false; dispatch_runs = false }
    od
}

/* A thread runs if neither a handler nor a dispatch that is pending comes first. */
proctype thread()
    provided (running && !handler_runs && !dispatch_runs && (!asked || masked))
{
    bool timed;

    do
    :: d_step { held_off = true; in_service = true }; /* the thread stays ready */
       if
       :: sync_lock(); list_it(); sync_unlock() /* hrl_mutex_unlock, for the next owner */
       :: true
       fi;
       d_step { held_off = false; in_service = false; busy = true }; /* hrli_core_allow_dispatch */
       if
       :: changed -> asked = true
       :: else
       fi;
       busy = false
    :: sync_lock(); /* a wait, without an instant or with one */
       assert(!waiting && !armed);
       waiting = true;
       if
       :: list_it() /* hrl_mutex_lock, for the owner */
       :: true
       fi;
       if
       :: ready = false
       :: held_off = true; timed = true; armed = true; ready = false
       fi;
       busy = true;
       sync_unlock();
       d_step { asked = true; busy = false };
       /* it goes on when it is dispatched */
       sync_lock();
       do
       :: timed && is_woken -> sync_unlock(); sync_lock() /* the handler comes first */
       :: else -> break
       od;
       assert(given || expired);
       d_step { waiting = false; armed = false; expired = false; given = false; timed = false };
       sync_unlock()
    od
}

/* What holds whenever nothing is pending and no core is in the midst of a step. */
#define QUIET (!lock && !masked && !handler_runs && !dispatch_runs && !rung && !asked && !held_off && \
               !busy)

proctype observer()
{
end:
    do
    :: !(!QUIET || !woken) -> assert(false)                  /* a list for which nothing rings */
    :: !(!QUIET || !changed) -> assert(false)
    :: !(!QUIET || !suspended || !ready) -> assert(false)    /* suspended, and ready */
    :: !(!QUIET || suspended || ready || !HAS_NOTHING_TO_WAIT_FOR) -> assert(false) /* forgotten */
    :: !(!QUIET || running == ready) -> assert(false)
    :: !(!changed || lock || is_changed || dispatch_runs) -> assert(false)
    od
}

init
{
    byte n = 1;

    atomic {
        ready = true;
        running = true;
        run thread();
        do
        :: n < CORES -> run other(); n++
        :: else -> break
        od;
        run doorbell();
        run timeouts();
        run dispatch();
        run observer()
    }
}
