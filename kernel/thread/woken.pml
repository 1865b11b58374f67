/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a core wakes a thread of another (woken.c, rung.c, dispatch.h, wait.c, sync/semaphore.c), as
 * a model for SPIN: whatever order the steps have, no wake-up and no token is lost or doubled, no
 * thread is in the wait queue while it is in the list of woken threads, none is made ready while it
 * still has to wait, and no core waits for ever.
 *
 *     spin -DCORES=3 -a woken.pml && cc -DSAFETY -o pan pan.c && ./pan        # no error
 *
 * Threads of core 0, the second more urgent than the first, take tokens of a semaphore again and
 * again: for ever, or until an instant, in hops. The other cores give tokens, and so does an
 * interrupt of core 0 (with -DINTERRUPT), which is more urgent than the handlers of the doorbell
 * and of time-outs, so that it may come between any two of their steps, too. An instant comes
 * whenever it likes. Each access to what another core or context may access at the same time is a
 * step. The ready queue is a word that is loaded and then stored. Variables that are not in use are
 * 0, for fewer states.
 *
 * The lock is one that cores get in any order; core/sync_lock.pml is about the real one. The
 * doorbell stays pending until the controller's claim, and the handler may come late. Not here:
 * threads that are suspended, started, or sleep.
 *
 * tests/model/test_core_protocols.py runs it, and breaks it.
 */
#ifndef CORES
#define CORES 2
#endif
#ifndef THREADS
#define THREADS 2
#endif
#define LIMIT 1        /* of the semaphore */
#define NONE THREADS

#define WAITING 0      /* wait_status */
#define OK 1
#define TIMED_OUT 2
#define NO_TIMEOUT 0   /* timeout_state */
#define ARMED 1
#define EXPIRED 2

/* The semaphore, and the lock of services. */
byte count;
bool queued[THREADS];
bool lock;

/* The threads. */
byte status[THREADS], timeout_state[THREADS], next[THREADS];
bool is_woken[THREADS];

/* Core 0: its list of woken threads, its ready queue. The level of thread n is n + 1, idle's is 0. */
byte first = NONE, last;
byte ready;            /* bit n: thread n */
bool in_store[THREADS];
byte running;          /* the level */
bool held_off;         /* dispatch is */
bool masked;           /* interrupts are */
bool rung, asked;      /* pending: the doorbell, the dispatch */
bool handler_runs, interrupt_runs;

/* What no code can read. */
bool waits[THREADS];   /* from its entry into the queue to its return */
byte balance;          /* tokens given and not taken */
bool comes;            /* the handler of the doorbell has begun and will take the list */

#define BIT(n) (1 << (n))
#define IS_READY(n) ((ready & BIT(n)) != 0)
#define TOP ((ready & BIT(1)) -> 2 : ((ready & BIT(0)) -> 1 : 0))
#define OWES_SWITCH (!held_off && TOP > running)

/* The services' lock on core 0, and on another, the interrupts of which do not matter here. */
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

inline make_ready(n)
{
    if
    :: !IS_READY(n) -> word = ready; d_step { ready = word | BIT(n); word = 0 }
    :: else
    fi
}

inline leave_ready(n)
{
    word = ready;
    d_step { ready = word & ~BIT(n); word = 0 }
}

/* hrli_wait_queue_pop, and the first half of hrli_wake: the most urgent thread has its token. */
inline pop()
{
    d_step {
        if
        :: queued[THREADS - 1] -> thread = THREADS - 1
        :: else -> thread = 0
        fi;
        queued[thread] = false;
        status[thread] = OK;
        balance++
    }
}

#define ANY_QUEUED (queued[0] || queued[THREADS - 1])

/* hrl_semaphore_give on another core, with hrli_wake_elsewhere */
proctype giver()
{
    byte thread;

    do
    :: atomic { !lock -> lock = true };
       if
       :: ANY_QUEUED ->
              pop();
              rung = true;
              assert(!is_woken[thread]);
              is_woken[thread] = true;
              next[thread] = NONE;
              if
              :: first == NONE -> first = thread
              :: else -> next[last] = thread
              fi;
              last = thread;
              lock = false;
              thread = 0
       :: !ANY_QUEUED && count < LIMIT -> d_step { count++; balance++ }; lock = false
       :: else -> lock = false
       fi
    od
}

/* The same in an interrupt of core 0. */
proctype interrupt()
{
    byte thread, word;

    do
    :: atomic { !masked -> interrupt_runs = true };
       sync_lock();
       if
       :: ANY_QUEUED ->
              pop();
              make_ready(thread);
              sync_unlock();
              asked = asked || (!held_off && thread + 1 > running); /* hrli_dispatch_woken */
              thread = 0
       :: !ANY_QUEUED && count < LIMIT -> d_step { count++; balance++ }; sync_unlock()
       :: else -> sync_unlock()
       fi;
       interrupt_runs = false
    od
}

/* Whether hrli_dispatch_rung can switch to `n` at once: it was woken alone, and is above all. */
#define ENDS_WITH(n) \
    (n != NONE && next[n] == NONE && !held_off && n + 1 > running && !IS_READY(n) && n + 1 > TOP)

/* The doorbell's handler. */
proctype doorbell() provided (!interrupt_runs)
{
    byte thread = NONE, following, word;

rings:
    do
    :: atomic { rung && !masked && !handler_runs -> handler_runs = true; rung = false; comes = true };
       if
       :: true /* hrli_core_rung */
       :: sync_lock(); /* hrli_dispatch_rung: interrupts stay masked to its end */
          thread = first;
          if
          :: ENDS_WITH(thread) ->
                 d_step {
                     first = NONE;
                     last = 0;
                     comes = false;
                     next[thread] = 0;
                     is_woken[thread] = false;
                     lock = false
                 };
                 d_step { ready = ready | BIT(thread); running = thread + 1; thread = NONE };
                 masked = false;
                 handler_runs = false;
                 goto rings
          :: else -> sync_unlock()
          fi
       fi;
       sync_lock();
       d_step { thread = first; comes = false };
       d_step { first = NONE; last = 0 };
       sync_unlock();
       do
       :: thread != NONE ->
              d_step {
                  assert(is_woken[thread]);
                  following = next[thread];
                  next[thread] = 0
              };
              masked = true;
              is_woken[thread] = false;
              make_ready(thread);
              masked = false;
              d_step { thread = following; following = 0 }
       :: else -> break
       od;
       asked = asked || OWES_SWITCH;
       handler_runs = false
    od
}

/* hrli_timeout_release, for a node that the handler has taken out of the store */
proctype timeouts() provided (!interrupt_runs)
{
    byte thread, word;

    do
    :: atomic {
           (in_store[0] || in_store[THREADS - 1]) && !masked && !handler_runs -> handler_runs = true;
           if
           :: in_store[0] -> thread = 0
           :: in_store[THREADS - 1] -> thread = THREADS - 1
           fi;
           in_store[thread] = false
       };
       masked = true;
       timeout_state[thread] = EXPIRED;
       make_ready(thread);
       masked = false;
       d_step { asked = asked || OWES_SWITCH; thread = 0 };
       handler_runs = false
    od
}

/* The dispatch: the least urgent interrupt. */
proctype dispatch() provided (!interrupt_runs && !handler_runs)
{
    do
    :: d_step { asked && !masked -> asked = false; held_off = false; running = TOP }
    od
}

/* wait_until */
inline wait_until()
{
    do
    :: if
       :: passed = true
       :: !until_is_0 -> passed = false
       fi;
       sync_lock();
       if
       :: is_woken[self] -> sync_unlock()
       :: !is_woken[self] && (passed || status[self] != WAITING) ->
              if
              :: status[self] == WAITING -> d_step { queued[self] = false; status[self] = TIMED_OUT }
              :: else
              fi;
              sync_unlock();
              held_off = false;
              asked = asked || OWES_SWITCH;
              break
       :: else ->
              lock = false;
              timeout_state[self] = ARMED; /* hrli_wait_for_key */
              leave_ready(self);
              masked = false;
              in_store[self] = true;
              asked = true;
              held_off = true;
              if /* withdraw */
              :: d_step { timeout_state[self] == ARMED -> in_store[self] = false }
              :: timeout_state[self] != ARMED
              fi;
              timeout_state[self] = NO_TIMEOUT;
              if
              :: until_is_0 = true /* this was the last hop */
              :: status[self] == WAITING
              fi
       fi
    od
}

/*
 * hrl_semaphore_take; after it has asked for a switch, the thread goes on once it is switched to.
 * The number of its process is its level.
 */
proctype thread(byte self)
    provided (running == _pid && !handler_runs && !interrupt_runs && (!asked || masked))
{
    byte word;
    bool passed, until_is_0;

    do
    :: sync_lock();
       if
       :: count > 0 ->
              d_step { count--; balance-- };
              sync_unlock()
       :: else ->
              d_step {
                  assert(!queued[self] && !is_woken[self]);
                  status[self] = WAITING;
                  queued[self] = true;
                  waits[self] = true
              };
              if
              :: leave_ready(self); /* hrli_wait_forever */
                 sync_unlock();
                 asked = true
              :: held_off = true;
                 sync_unlock();
                 wait_until()
              fi;
              skip; /* as a branch must not lead into what follows */
              d_step {
                  assert(status[self] != WAITING && !queued[self]);
                  balance = balance - (status[self] == OK);
                  waits[self] = false;
                  status[self] = OK;
                  passed = false;
                  until_is_0 = false
              }
       fi
    od
}

/* What holds whenever no core is in the midst of a service. */
#define HAS_TOKEN(n) (waits[n] && status[n] == OK)
#define TOKENS_HELD (HAS_TOKEN(0) + (THREADS > 1 && HAS_TOKEN(THREADS - 1)))
#define RINGS (lock || rung || comes)
#define GOES_ON(n) (!HAS_TOKEN(n) || IS_READY(n) || is_woken[n])
#define IS_LISTED_ONCE(n) (!is_woken[n] || !queued[n])
#define IS_NOT_FORGOTTEN(n) (!is_woken[n] || RINGS || handler_runs)
#define EACH(what) (what(0) && what(THREADS - 1))

proctype observer()
{
end:
    do
    :: !(first == NONE || RINGS) -> assert(false)     /* a list for which nothing rings */
    :: !(lock || masked || EACH(GOES_ON)) -> assert(false)
    :: !(lock || EACH(IS_LISTED_ONCE)) -> assert(false)
    :: !EACH(IS_NOT_FORGOTTEN) -> assert(false)
    :: !(lock || count == 0 || !ANY_QUEUED) -> assert(false)
    :: !(lock || balance == count + TOKENS_HELD) -> assert(false)
    od
}

init
{
    byte n;

    atomic {
        ready = BIT(THREADS) - 1;
        running = THREADS;
        do
        :: n < THREADS -> run thread(n); n++
        :: else -> break
        od;
        n = 1;
        do
        :: n < CORES -> run giver(); n++
        :: else -> break
        od;
        run doorbell();
        run timeouts();
        run dispatch();
        run observer()
#ifdef INTERRUPT
        ;
        run interrupt()
#endif
    }
}
