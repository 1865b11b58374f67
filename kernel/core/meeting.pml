/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The meeting of all cores (hrlp_cores_meet in ports/rv32/cells/hrlp_cores_controller.h) and what
 * comes before it from reset (cores.S), as a model for SPIN: no core returns from a meeting before
 * the last one has come, every core returns, and the next meetings are like the first. Core 0 goes
 * on to main when the others have zeroed their memory, and they leave reset when it has started
 * them.
 *
 *     spin -DCORES=3 -a meeting.pml && cc -DSAFETY -o pan pan.c && ./pan        # no error
 *
 * Each access to a register is a step. MEETINGS counts modulo TURNS here; 2 would do, as in
 * hardware 2^32 does.
 *
 * tests/model/test_core_protocols.py runs it, and breaks it.
 */
#ifndef CORES
#define CORES 2
#endif
#define TURNS 2

byte met, meetings;    /* registers of the locks */
bool start[CORES];     /* MSIP */

/* What no code can read. */
bool zeroed[CORES];    /* the core's memory */
byte calls[CORES];     /* of the meeting, modulo CALLS */

#define CALLS 4

/* hrlp_cores_meet */
inline meet()
{
    calls[core] = (calls[core] + 1) % CALLS;
    seen = meetings;
    d_step { count = met; met++; assert(met <= CORES) };
    if
    :: count == CORES - 1 ->
           met = 0;
           meetings = (meetings + 1) % TURNS
    :: else ->
           meetings != seen
    fi;
    skip;
    d_step {
        seen = 0; count = 0; other = 0;
        do
        :: other < CORES -> /* it has come as often, or is at the next meeting already */
               assert((calls[other] + CALLS - calls[core]) % CALLS <= 1);
               other++
        :: else -> break
        od;
        other = 0
    }
}

proctype core_from_reset(byte core)
{
    byte count, other, seen;

    zeroed[core] = true;
    if
    :: core == 0 ->
           met == CORES - 1;
           met = 0;
           d_step {
               do
               :: other < CORES -> assert(zeroed[other]); other++
               :: else -> break
               od;
               other = 1
           };
           do /* hrlp_cores_start */
           :: other < CORES -> start[other] = true; other++
           :: else -> break
           od
    :: else ->
           met++;
           start[core];
           start[core] = false
    fi;
    skip; /* as a branch must not lead into what follows; likewise above */
    d_step { other = 0; assert(zeroed[0]) };
    do
    :: meet()
    od
}

init
{
    byte core;

    atomic {
        do
        :: core < CORES -> run core_from_reset(core); core++
        :: else -> break
        od
    }
}
