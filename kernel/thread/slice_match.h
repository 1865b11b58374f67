/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SLICE_MATCH_H
#define HRLI_SLICE_MATCH_H

#include "hrlp_cores.h"
#include "stamp.h"
#include "sync_lock.h"
#include <hrl/time.h>

/*
 * One cell for all cores under the unified timing models, as in the 1+N paper: its match is the least of all
 * cores' instants, in counts; a core that has nanoseconds converts them before. A core that changes its instant
 * sets the match, under a lock, which is held while the least is searched. The cell interrupts core 0, which
 * calls the cores that are due. To be compared with: every switch waits for the lock.
 *
 * Each core has one of these, in memory of its own; where all memory is shared they lie in a row, and the code is
 * compiled for each core (systems/plain/plain_on_core.c). With one core there is nothing to share, and the match is the
 * core's instant.
 */
struct hrli_slice_match {
    hrl_stamp next; /* the core's instant; others read it under the lock */
};

#ifdef HRLI_CORES_SHARE_MEMORY /* as then what a core has of its own is not at one address on all */
extern struct hrli_slice_match hrl_gen_slice_matches[HRL_CORES];

static inline struct hrli_slice_match *hrli_slice_match_of(struct hrli_slice_match *own,
                                                           unsigned core)
{
    (void)own;
    return &hrl_gen_slice_matches[core];
}
#define HRLI_SLICE_MATCH_OWN(own) (&hrl_gen_slice_matches[HRLI_CORE_NUMBER])
#else
/* What `core` has where this core has `own`. */
static inline void *hrli_slice_match_of(void *own, unsigned core)
{
    __asm__("" : "+r"(own)); /* the compiler does not know where the others' are */
    return hrlp_core_object(own, core);
}
#define HRLI_SLICE_MATCH_OWN(own) (own)
#endif

/* `arm` is the cell's own arm, a constant. Context: interrupts masked. */
static inline void hrli_slice_match_set(struct hrli_slice_match *own, hrl_stamp next,
                                        void (*arm)(hrl_stamp due))
{
    hrl_stamp least = next;

    hrlp_lock_take(HRLI_LOCK_OF_MATCH);
    HRLI_SLICE_MATCH_OWN(own)->next = next;
    for (unsigned core = 0; core < HRL_CORES; core++) {
        const struct hrli_slice_match *other = hrli_slice_match_of(own, core);

        least = hrli_stamp_after(least, other->next) ? other->next : least;
    }
    arm(least);
    hrlp_lock_give(HRLI_LOCK_OF_MATCH);
}

/*
 * On core 0, calls the other cores that are due. Each of them sets the match anew, and so does core 0 in any
 * case. Context: the cell's handler, interrupts masked.
 */
static inline void hrli_slice_match_pass_on(struct hrli_slice_match *own, hrl_stamp now,
                                            void (*ring)(unsigned core))
{
    if (hrlp_core_number() != 0) {
        return;
    }
    hrlp_lock_take(HRLI_LOCK_OF_MATCH);
    for (unsigned core = 1; core < HRL_CORES; core++) {
        struct hrli_slice_match *other = hrli_slice_match_of(own, core);

        if (!hrli_stamp_after(other->next, now)) {
            other->next = now + ((hrl_stamp)1 << 30); /* later than any that is set */
            ring(core);
        }
    }
    hrlp_lock_give(HRLI_LOCK_OF_MATCH);
}

#endif
