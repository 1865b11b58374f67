/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The protocol of hrl_now (clock.c) and of the clock's handler (hrli_clock_interrupt), as a model for
 * SPIN: whatever reads the time, and wherever a wrap and an interrupt fall, what it reads is an
 * instant between its call and its return. So the time never jumps, nor goes back.
 *
 *     spin -a clock.pml && cc -DSAFETY -o pan pan.c && ./pan        # no error
 *     spin -DUNLOCKED -a clock.pml && ...                           # the handler without its lock
 *
 * One processor. The thread runs while no handler does; the handler of the wrap interrupts it unless
 * it has locked; a basic task of a higher level interrupts either, unless they have locked. Each read
 * of the port is a step, between any two of which the clock counts and interrupts come. What the
 * port promises: the handler of a wrap has run before the next wrap.
 *
 * tests/model/test_clock_protocol.py runs both.
 */
#define COUNTS 4 /* from wrap to wrap */
#define END (3 * COUNTS)

byte now;            /* the instant, which no code can read */
bool flag;           /* the hardware's: a wrap that has not been acknowledged */
byte wraps;          /* hrli_clock_wraps */
bool locked;
bool handler_runs;
bool task_runs;

#define LOW (now % COUNTS)

active proctype clock()
{
    do
    :: atomic { now < END && !(flag && (now + 1) % COUNTS == 0) ->
           now++;
           if
           :: LOW == 0 -> flag = true
           :: else
           fi
       }
    :: now == END -> break
    od
}

active proctype handler() provided (!task_runs)
{
    do
    :: atomic { flag && !locked && !handler_runs -> handler_runs = true };
#ifndef UNLOCKED
       locked = true;
#endif
       flag = false;
       wraps++;
#ifndef UNLOCKED
       locked = false;
#endif
       handler_runs = false
    od
}

/* hrl_now; `from` is the instant of the call. */
inline read_time()
{
    from = now;
    do
    :: high = wraps;
       pending = flag;
       low = LOW;
       if
       :: pending == flag ->
              if
              :: high == wraps -> break
              :: else
              fi
       :: else
       fi
    od;
    skip; /* as a break must not lead into what follows */
    d_step {
        value = (high + pending) * COUNTS + low;
        assert(from <= value && value <= now);
        from = 0; high = 0; pending = false; low = 0; value = 0
    }
}

active proctype thread() provided (!task_runs && !handler_runs)
{
    byte from, high, low, value;
    bool pending;

    do
    :: read_time()
    :: locked = true;
       read_time();
       locked = false
    od
}

active proctype task()
{
    byte from, high, low, value;
    bool pending;

    do
    :: atomic { !locked -> task_runs = true };
       read_time();
       task_runs = false
    od
}
