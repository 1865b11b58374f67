/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_SLICE_UNIFIED_NS_H
#define HRLI_SLICE_UNIFIED_NS_H

#include "convert.h"
#include "hrlp_cell.h"
#include "hrlp_irq.h"
#include "slice.h"
#include "slice_match.h"
#include <hrl/time.h>

/*
 * Wake-ups and the slice's end on one cell, in nanoseconds: the 1+N paper's Listing 2 as it stands,
 * converting the clock's counts to nanoseconds and the match back to counts at every switch. To be
 * compared with; the form to be used is slice_unified.h.
 *
 * `arm` is the cell's own arm, a constant; `clock` are the clock's constants.
 */
struct hrli_slice_unified_ns {
    uint64_t end_ns;  /* of the running thread's slice */
    uint64_t wake_ns; /* what the releaser armed */
#if HRL_CORES > 1     /* as one core shares its cell with none */
    struct hrli_slice_match match;
#endif
};

#define HRLI_SLICE_NO_WAKE_NS UINT64_MAX

struct hrli_slice_clock {
    struct hrli_ratio ns_per_count, counts_per_ns;
};

/* getTime */
static inline uint64_t hrli_slice_unified_ns_now(const struct hrli_slice_clock *clock)
{
    return hrli_scale(hrl_now(), clock->ns_per_count);
}

/* updateMatchRegister. Context: interrupts masked. */
static inline void hrli_slice_unified_ns_arm(struct hrli_slice_unified_ns *unified,
                                             const struct hrli_slice_clock *clock,
                                             void (*arm)(hrl_stamp due))
{
    uint64_t next_ns = unified->wake_ns < unified->end_ns ? unified->wake_ns : unified->end_ns;
    hrl_stamp next = (hrl_stamp)hrli_scale(next_ns, clock->counts_per_ns);

#if HRL_CORES > 1 /* as above */
    hrli_slice_match_set(&unified->match, next, arm);
#else
    arm(next);
#endif
}

#if HRL_CORES > 1 /* as above */
/* Before hrli_slice_unified_ns_interrupt: other cores that are due are called. Context: the cell's handler. */
static inline void hrli_slice_unified_ns_pass_on(struct hrli_slice_unified_ns *unified,
                                                 void (*ring)(unsigned core))
{
    hrli_slice_match_pass_on(&unified->match, hrlp_clock_read() + HRLP_CELL_EARLY_COUNTS, ring);
}
#endif

/*
 * The releaser's arm and disarm. Its instants are counts; the nanosecond begins after the count
 * does, so one more is converted back to the same count. Context: as these.
 */
static inline void
hrli_slice_unified_ns_wake_at(struct hrli_slice_unified_ns *unified, hrl_stamp due,
                              const struct hrli_slice_clock *clock, void (*arm)(hrl_stamp due))
{
    hrl_counts now = hrl_now();
    hrl_counts at = now + (hrl_counts)(int64_t)(int32_t)(due - (hrl_stamp)now);

    unified->wake_ns = hrli_scale(at, clock->ns_per_count) + 1u;
    hrli_slice_unified_ns_arm(unified, clock, arm);
}

static inline void hrli_slice_unified_ns_wake_never(struct hrli_slice_unified_ns *unified,
                                                    const struct hrli_slice_clock *clock,
                                                    void (*arm)(hrl_stamp due))
{
    unified->wake_ns = HRLI_SLICE_NO_WAKE_NS;
    hrli_slice_unified_ns_arm(unified, clock, arm);
}

/*
 * A fresh slice, from now on. Context: the dispatch; the first, start-up, before anything is armed.
 */
static inline void hrli_slice_unified_ns_begin(struct hrli_slice_unified_ns *unified,
                                               uint64_t slice_ns,
                                               const struct hrli_slice_clock *clock)
{
    unified->end_ns = hrli_slice_unified_ns_now(clock) + slice_ns;
}

static inline void
hrli_slice_unified_ns_restart(struct hrli_slice_unified_ns *unified, uint64_t slice_ns,
                              const struct hrli_slice_clock *clock, void (*arm)(hrl_stamp due))
{
    hrlp_irq_state state = hrlp_irq_lock();

    hrli_slice_unified_ns_begin(unified, slice_ns, clock);
    hrli_slice_unified_ns_arm(unified, clock, arm);
    hrlp_irq_unlock(state);
}

/* As hrli_slice_unified_interrupt. Context: the cell's handler. */
static inline __attribute__((always_inline)) void
hrli_slice_unified_ns_interrupt(struct hrli_slice_unified_ns *unified, uint64_t slice_ns,
                                const struct hrli_slice_clock *clock, void (*arm)(hrl_stamp due),
                                void (*serve)(void))
{
    uint64_t now_ns = hrli_slice_unified_ns_now(clock);
    bool is_over =
        now_ns + hrli_scale(HRLP_CELL_EARLY_COUNTS, clock->ns_per_count) >= unified->end_ns;

    if (is_over) {
        unified->end_ns = now_ns + slice_ns;
    }
    serve();
    if (is_over && !hrli_slice_end()) {
        unified->end_ns = now_ns + hrli_scale(HRLI_SLICE_PROLONGED_COUNTS, clock->ns_per_count);
        hrli_slice_unified_ns_arm(unified, clock, arm);
    }
}

#endif
