/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_WATCHED_JOB_H
#define HRLP_WATCHED_JOB_H

#include <stdint.h>

/* hrlp_job.h on hardware, where a job takes as long as its code does. */

/* Turns the work loop of the port so often (ports/<isa>/work.S). */
void hrl_work(uint32_t turns);

#if HRL_TRACE /* as only then jobs are recorded, in the firmware itself */
#include "hrlp_ring.h"
#define HRLP_JOB_BEGUN(task) hrli_trace_put(HRLP_RING_WORD(HRLP_RING_BEGUN, task));
/* Behind that a return, as in the calibration, and no jump into it. */
#define HRLP_JOB_ENDED(task)                                                                       \
    hrli_trace_put(HRLP_RING_WORD(HRLP_RING_ENDED, task));                                         \
    __asm__ volatile("" : : : "memory");
#else
#define HRLP_JOB_BEGUN(task)
#define HRLP_JOB_ENDED(task)
#endif

/* The label hrl_gen_body_<task>_end stands behind the call; by it jobs are watched from outside. */
#define HRLP_JOB_BODY(task, call, counts) HRLP_JOB_BODY_AND(task, call, counts, )
#define HRLP_JOB_BODY_AND(task, call, counts, ...)                                                 \
    void hrl_gen_body_##task(void);                                                                \
    __attribute__((noinline, noclone)) void hrl_gen_body_##task(void)                              \
    {                                                                                              \
        HRLP_JOB_BEGUN(task)                                                                       \
        call;                                                                                      \
        __asm__ volatile(".global hrl_gen_body_" #task "_end\nhrl_gen_body_" #task "_end:" ::      \
                             : "memory");                                                          \
        HRLP_JOB_ENDED(task)                                                                       \
        __VA_ARGS__                                                                                \
    }

/* A handler is watched as a job that interrupts others. */
#define HRLP_HANDLER_BODY(handler, call, counts) HRLP_JOB_BODY(handler, call, counts)

#endif
