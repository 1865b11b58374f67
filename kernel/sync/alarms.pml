/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How cores start and stop an alarm of core 0 (alarm_elsewhere.c, alarm.c), while it expires and core 0 starts and stops it
 * itself, as a model for SPIN: when a stop has returned no expiry begins any more, each call finds what the last one has
 * asked for, the store holds the alarm once, and what was asked for last is done.
 *
 *     spin -DCORES=2 -a alarms.pml && cc -DSAFETY -o pan pan.c && ./pan -E        # no error
 *
 * The alarm expires once, at any time after its start. Each access to what another core or context may access at the same time
 * is a step. The lock is one that cores get in any order (core/sync_lock.pml is about the real one). Behind the handler's
 * look at what is asked for an expiry has begun. Each core makes so many calls, so a run ends.
 *
 * tests/model/test_core_protocols.py runs it, and breaks it.
 */
#ifndef CORES
#define CORES 2
#endif
#ifndef CALLS
#define CALLS 2
#endif
#define AS_IT_IS 0
#define TO_STOP 1
#define TO_START 2

bool lock;
byte asked = AS_IT_IS; /* the alarm's */
bool is_listed, runs;

/* Core 0. */
bool in_store;         /* the alarm is */
bool changed;          /* others have asked for something, and core 0 is rung */
bool busy;             /* the store is in use by a thread or the dispatch */
bool handler_runs, held_off, dispatch_runs;

/* What the calls have come to so far, in the order of the lock, and what has begun; ghosts. */
bool shall_run, expires;
byte calls_left = CORES * CALLS;

#define FOUND_RUNNING ((asked == AS_IT_IS && runs) || asked == TO_START)

inline take() { atomic { !lock -> lock = true } }
inline give() { lock = false }

/* What a stop returns: the last call's outcome, but for an expiry that has begun, and a call of core 0 that has not returned. */
inline look()
{
    assert(!FOUND_RUNNING || shall_run || expires || held_off)
}

/* Another core's call. */
proctype other()
{
    byte calls = CALLS;

    do
    :: calls > 0 ->
           take();
           look();
           if
           :: !is_listed -> is_listed = true
           :: else
           fi;
           changed = true;
           if
           :: asked = TO_STOP; shall_run = false
           :: asked = TO_START; shall_run = true
           fi;
           give();
           d_step { calls--; calls_left-- }
    :: calls == 0 -> break
    od
}

/* The store's handler, which comes into threads and the dispatch: the alarm's node is due. */
proctype handler()
{
    do
    :: atomic { in_store && !busy && !handler_runs -> handler_runs = true };
       in_store = false;
       if
       :: atomic { asked == AS_IT_IS -> assert(shall_run); shall_run = false; expires = true }; /* it has begun */
          d_step { runs = false; expires = false }
       :: asked != AS_IT_IS -> runs = false
       fi;
       handler_runs = false
    :: calls_left == 0 && !changed && !in_store && !dispatch_runs && !held_off -> break
    od
}

/* A thread of core 0. Nothing but the handler runs while it does. */
proctype thread() provided (!handler_runs)
{
    byte calls = CALLS;

    do
    :: calls > 0 ->
           atomic { !dispatch_runs -> held_off = true; busy = true };
           take();
           asked = AS_IT_IS; /* from here on its own call is what holds */
           if
           :: shall_run = false; give(); /* a stop */
              if
              :: runs -> assert(in_store); in_store = false; runs = false
              :: else
              fi
           :: shall_run = true; give(); /* a start; a call of another core may come in from here on */
              if
              :: runs -> assert(in_store); in_store = false; runs = false
              :: else
              fi;
              assert(!in_store);
              d_step { in_store = true; runs = true }
           fi;
           busy = false;
           held_off = false;
           d_step { calls--; calls_left-- }
    :: calls == 0 -> break
    od
}

/* Core 0's next dispatch: hrli_changes_apply, hrli_alarms_apply. */
proctype dispatch() provided (!handler_runs)
{
    byte what;
    bool is_in, any;

    do
    :: atomic { changed && !held_off -> dispatch_runs = true };
       take();
       changed = false;
       give();
       busy = true;
       do
       :: take();
          any = is_listed;
          is_listed = false;
          if
          :: any ->
                 what = asked;
                 is_in = runs;
                 if
                 :: what != AS_IT_IS -> asked = AS_IT_IS; runs = (what == TO_START)
                 :: else
                 fi
          :: else
          fi;
          give();
          if
          :: !any -> break
          :: any && what != AS_IT_IS ->
                 assert(is_in == in_store);
                 in_store = false;
                 if
                 :: what == TO_START -> in_store = true
                 :: else
                 fi
          :: else
          fi
       od;
       busy = false;
       dispatch_runs = false
    :: calls_left == 0 && !changed && !held_off -> break
    od;
    assert(asked == AS_IT_IS && !is_listed);
    assert(in_store == shall_run)
}

init {
    atomic {
        byte core = 1;

        run handler();
        run thread();
        run dispatch();
        do
        :: core < CORES -> run other(); core++
        :: else -> break
        od
    }
}
