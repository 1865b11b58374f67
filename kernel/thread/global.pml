/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How cores hand over threads that several of them may run (global.c, dispatch.h, core.h), as a model for SPIN: no thread waits
 * while one of its cores runs a less urgent one and no core is about to look; a thread goes on where all of it is saved, on a core
 * that may run it, and on one at a time.
 *
 *     spin -DCORES=2 -a global.pml && cc -DSAFETY -o pan pan.c && ./pan        # no error
 *
 * There is one thread more than there are cores, if nothing else is said; its number is its priority, and thread 2 is core 0's alone. A thread that runs
 * holds dispatch off and waits; what it waits for comes at any time, also before it has left its core. What
 * the holder of the lock of services does is one step (core/sync_lock.pml is about the lock). The doorbell may be late.
 *
 * Cores have no threads of their own here, so a thread that claims a core gets it, or loses it to a more urgent one; tests/conform/cores/global.c
 * has both.
 *
 * tests/model/test_core_protocols.py runs it, and breaks it.
 */
#ifndef CORES
#define CORES 2
#endif
#ifndef THREADS
#define THREADS (CORES + 1)
#endif
#define MAY_RUN(thread, core) (thread != 2 || core == 0)

/* Threads, from 1 on. */
bool waits[THREADS + 1], offered[THREADS + 1];
bool saved[THREADS + 1];    /* all of it is on its stack */
byte on[THREADS + 1], claimed[THREADS + 1]; /* 1 more than a core */

/* Cores. */
byte running[CORES], level[CORES], claims[CORES]; /* threads; 0: idle, none */
bool looks[CORES], rung[CORES], asked[CORES], held_off[CORES];
bool dispatches[CORES]; /* its dispatch has begun, and has not chosen yet */

byte place, least, found, displaced, looked, wanted; /* of the step that runs */

inline claim_core(thread)
{
    wanted = thread;
    do
    :: wanted == 0 -> break
    :: else ->
           found = CORES;
           least = wanted;
           place = 0;
           do
           :: place == CORES -> break
           :: else ->
                  if
                  :: MAY_RUN(wanted, place) && level[place] < least ->
                         least = level[place];
                         found = place
                  :: else
                  fi;
                  place++
           od;
           displaced = 0;
           if
           :: found < CORES ->
                  displaced = claims[found];
                  if
                  :: displaced != 0 -> claimed[displaced] = 0
                  :: else
                  fi;
                  claims[found] = wanted;
                  level[found] = wanted;
                  claimed[wanted] = found + 1;
                  if
                  :: !looks[found] -> rung[found] = true /* else it was rung, and has not looked since */
                  :: else
                  fi;
                  looks[found] = true
           :: else
           fi;
           wanted = displaced
    od
}

/* What holds whenever the lock is given. */
inline check()
{
    looked = 1;
    do
    :: looked > THREADS -> break
    :: else ->
           place = 0;
           do
           :: place == CORES -> break
           :: else ->
                  assert(!offered[looked] || !MAY_RUN(looked, place) || running[place] >= looked ||
                         looks[place] || on[looked] != 0 ||
                         (claimed[looked] != 0 && looks[claimed[looked] - 1]));
                  place++
           od;
           looked++
    od;
    looked = 0;
    place = 0;
    do
    :: place == CORES -> break
    :: else -> /* a core that is to look comes to it: of one that holds dispatch off, see below */
           assert(!looks[place] || rung[place] || asked[place] || dispatches[place] ||
                  running[place] != 0);
           place++
    od;
    place = 0;
    found = 0;
    least = 0;
    displaced = 0
}

/* hrli_global_wake */
proctype waker()
{
    byte thread;

    do
    :: d_step {
           thread = 1;
           do
           :: thread < THREADS && !waits[thread] -> thread++
           :: else -> break
           od;
           if
           :: waits[thread] ->
                  waits[thread] = false;
                  offered[thread] = true;
                  if
                  :: on[thread] == 0 -> claim_core(thread)
                  :: else
                  fi;
                  check()
           :: else
           fi;
           thread = 0
       }
    :: d_step {
           waits[THREADS] ->
           waits[THREADS] = false;
           offered[THREADS] = true;
           if
           :: on[THREADS] == 0 -> claim_core(THREADS)
           :: else
           fi;
           check()
       }
    od
}

/* hrli_core_rung */
proctype doorbell(byte core)
{
    do
    :: d_step {
           rung[core] -> rung[core] = false;
           if
           :: looks[core] && !held_off[core] -> asked[core] = true
           :: else
           fi
       }
    od
}

/* hrli_global_choose */
inline choose()
{
    dispatches[core] = false;
    self = running[core];
    claimant = claims[core];
    claims[core] = 0;
    looks[core] = false;
    if
    :: claimant != 0 -> claimed[claimant] = 0
    :: else
    fi;
    if
    :: self != 0 && !waits[self] -> offered[self] = true
    :: else
    fi;
    next = THREADS;
    do
    :: next == 0 -> break
    :: else ->
           if
           :: offered[next] && MAY_RUN(next, core) && (on[next] == 0 || on[next] == core + 1) ->
                  break
           :: else
           fi;
           next--
    od;
    if
    :: next != 0 ->
           if
           :: claimed[next] != 0 -> claims[claimed[next] - 1] = 0; claimed[next] = 0
           :: else
           fi;
           assert(saved[next]);
           saved[next] = false;
           offered[next] = false;
           on[next] = core + 1
    :: else
    fi;
    running[core] = next;
    level[core] = next;
    if
    :: self != 0 && self != next ->
           on[self] = 0;
           if
           :: offered[self] -> claim_core(self)
           :: else
           fi
    :: else
    fi;
    if
    :: claimant != 0 && offered[claimant] && claimed[claimant] == 0 -> claim_core(claimant)
    :: else
    fi;
    check();
    self = 0;
    claimant = 0;
    next = 0
}

proctype thread_or_dispatch(byte core)
{
    byte self, claimant, next;

    do
    :: d_step { asked[core] -> asked[core] = false; dispatches[core] = true }
       saved[running[core]] = true; /* of idle, too */
       d_step { choose() }
    :: d_step {
           running[core] != 0 && !asked[core] ->
           assert(!looks[core] || rung[core]);
           held_off[core] = true
       }
       if
       :: waits[running[core]] = true;
          held_off[core] = false;
          asked[core] = true
       :: held_off[core] = false;
          if
          :: looks[core] -> asked[core] = true /* hrli_core_allow_dispatch */
          :: else
          fi
       fi
    od
}

init
{
    byte i;

    atomic {
        for (i : 1 .. THREADS) {
            waits[i] = true;
            saved[i] = true
        }
        for (i : 0 .. CORES - 1) {
            run doorbell(i);
            run thread_or_dispatch(i)
        }
        run waker()
    }
}
