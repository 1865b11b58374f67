/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_STAMP_H
#define HRLI_STAMP_H

#include "hrlp_cpu.h"
#include <hrl/types.h>
#include <stdbool.h>

/*
 * Order of stamps. Right for stamps less than 2^31 counts apart, across the wrap.
 */
static inline bool hrli_stamp_after(hrl_stamp a, hrl_stamp b)
{
    return ((b - a) & (hrl_stamp)1 << 31) != 0; /* the sign of one subtraction decides */
}

/*
 * hrli_stamp_after for a branch, by the processor's flags: an instruction less where the difference is needed for
 * nothing else, often one more where the answer is to be a value.
 */
static inline bool hrli_stamp_branch_after(hrl_stamp a, hrl_stamp b)
{
    return hrlp_cpu_is_negative(b, a);
}

/*
 * Whether `due` is not after `now`, of which it is at most `ahead` counts ahead; so it may be past by
 * up to 2^32 - ahead counts. Constants that are powers of two cost no more than the other.
 */
static inline bool hrli_stamp_has_passed(hrl_stamp due, hrl_stamp now, uint32_t ahead)
{
    return now - due < 0u - ahead;
}

/* The power of two that is not below `counts`, 2 to 2^31. */
static inline uint32_t hrli_stamp_round_up(uint32_t counts)
{
    return (uint32_t)2 << (31 - (sizeof(int) < sizeof(uint32_t) ? __builtin_clzl(counts - 1u)
                                                                : __builtin_clz(counts - 1u)));
}

/* Returns the last stamp that counts as after `stamp`: it is 2^31 - 1 counts later. */
static inline hrl_stamp hrli_stamp_horizon(hrl_stamp stamp)
{
    return stamp + INT32_MAX;
}

#endif
