/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_STAMP_H
#define HRLI_STAMP_H

#include <hrl/types.h>
#include <stdbool.h>

/*
 * Order of stamps. Right for stamps less than 2^31 counts apart, across the wrap.
 */
static inline bool hrli_stamp_after(hrl_stamp a, hrl_stamp b)
{
    return ((b - a) & (hrl_stamp)1 << 31) != 0; /* the sign of one subtraction decides */
}

/* The stamp that is after `stamp` by as much as can be told. */
static inline hrl_stamp hrli_stamp_horizon(hrl_stamp stamp)
{
    return stamp + INT32_MAX;
}

#endif
