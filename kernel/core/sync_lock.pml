/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lock of services (sync_lock.h) and the ticket lock below it (hrlp_cores.h), as a model for
 * SPIN: whatever order the cores' steps have, and wherever interrupts fall, one core holds the lock
 * at a time, and what it has stored is seen by the next one; a core waits for at most CORES - 1
 * others; and no core waits for ever.
 *
 *     spin -DCORES=3 -a sync_lock.pml && cc -DSAFETY -o pan pan.c && ./pan        # no error
 *
 * Each core has a thread and a handler that interrupts it unless it has masked interrupts; both
 * take the lock. Each access to a register or to memory is a step. The hardware's promise: a load
 * from the window INCREMENT returns the value and adds one, in one step. Registers count modulo
 * TICKETS here, so that tickets wrap; any number from CORES on will do.
 *
 * tests/model/test_core_protocols.py runs it, and breaks it.
 */
#ifndef CORES
#define CORES 2
#endif
#ifndef TICKETS
#define TICKETS 4
#endif
#define NO_CORE CORES

byte next_ticket, served;  /* registers 2 n and 2 n + 1 */
byte object;               /* what the lock protects: read, then stored */
bool masked[CORES], handler_runs[CORES];

/* What no code can read. */
byte holder = NO_CORE;
byte changes;              /* of the object, as it should be */
bool waits[CORES];
byte passed[CORES];        /* how often others got the lock while this core waited */

#define COUNT_TO 4         /* object and changes, modulo this */

/* hrlp_lock_take */
inline take()
{
    d_step { ticket = next_ticket; next_ticket = (next_ticket + 1) % TICKETS; waits[core] = true };
    atomic { served == ticket;
        d_step {
            assert(holder == NO_CORE);
            holder = core; waits[core] = false; ticket = 0;
            other = 0;
            do
            :: other < CORES ->
                   if
                   :: waits[other] -> passed[other]++; assert(passed[other] < CORES)
                   :: else
                   fi;
                   other++
            :: else -> break
            od;
            passed[core] = 0; other = 0
        }
    }
}

/* hrlp_lock_give */
inline give()
{
    d_step { served = (served + 1) % TICKETS; holder = NO_CORE }
}

/* hrli_sync_lock, a service, hrli_sync_unlock */
inline service()
{
    before = masked[core];
    masked[core] = true;
    take();
    value = object;
    d_step {
        object = (value + 1) % COUNT_TO;
        changes = (changes + 1) % COUNT_TO;
        value = 0;
        assert(object == changes)
    };
    give();
    d_step { masked[core] = before; before = false }
}

proctype thread(byte core) provided (!handler_runs[core])
{
    byte ticket, other, value;
    bool before;

    do
    :: service()
    od
}

proctype handler(byte core)
{
    byte ticket, other, value;
    bool before;

    do
    :: atomic { !masked[core] -> handler_runs[core] = true };
       service();
       handler_runs[core] = false
    od
}

init
{
    byte core;

    atomic {
        do
        :: core < CORES -> run thread(core); run handler(core); core++
        :: else -> break
        od
    }
}
