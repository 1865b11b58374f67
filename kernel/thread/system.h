/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SYSTEM_H
#define HRLI_SYSTEM_H

#include "core.h"
#include "hrlp_cores.h"
#include "releaser.h"
#include <stdint.h>

/*
 * The system that the generated code describes; hrl_start reads it once.
 */
struct hrli_system {
    struct hrli_periodic_thread *threads; /* in the order of the description */
    uint32_t thread_count;
    struct hrli_releaser *HRLP_CONST *releasers;
    uint32_t releaser_count;
    struct hrl_thread *idle;              /* level 0; only name, stack and stack_bytes are read */
    const struct hrli_timeouts *timeouts; /* NULL: no time-outs */
    bool counts_run_time;                 /* the dispatch does (run_time.h) */
    HRLP_CONST struct hrli_enrolment *enrolment; /* NULL: no threads, no releasers */
#if HRL_CORES > 1                                /* as each core has a system of its own */
    void (*prepare)(void);                       /* hrl_gen_prepare */
#endif
};

/*
 * What the start-up does for periodic threads and the releasers: hrli_enrolment (thread.h). A system without
 * them does not name it, and is linked without what serves them.
 */
struct hrli_enrolment {
    /* Readies the threads. Context: start-up, before the clock starts. */
    void (*prepare)(HRLP_CONST struct hrli_system *system);
    /* Starts the cells, all of them before the first release. Context: start-up, after that. */
    void (*start)(HRLP_CONST struct hrli_system *system);
};

extern HRLP_CONST struct hrli_system hrl_gen_system;

/* Empties the stores and lets the cells' interrupts through. Context: start-up, first. */
void hrl_gen_prepare(void);

/* With several cores, the system of each; generated code renames those above (assemble/core_names.h). */
extern HRLP_CONST struct hrli_system *HRLP_CONST hrl_gen_systems[HRL_CORES];

/* That of the core that this runs on. Context: any. */
static inline HRLP_CONST struct hrli_system *hrli_own_system(void)
{
    return HRL_CORES > 1 ? hrl_gen_systems[hrlp_core_number()] : &hrl_gen_system;
}

static inline void hrli_prepare_system(HRLP_CONST struct hrli_system *system)
{
#if HRL_CORES > 1 /* as the field is there only then */
    system->prepare();
#else
    (void)system;
    hrl_gen_prepare();
#endif
}

#endif
