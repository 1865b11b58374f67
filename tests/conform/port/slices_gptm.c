/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "hrlp_gptm.h"

/* Any but the first, which other tests use most. */
static void start(uint32_t counts)
{
    hrlp_gptm_slice_start(1, counts);
}

static void restart(void)
{
    hrlp_gptm_slice_restart(1);
}

static bool is_over(void)
{
    return hrlp_gptm_slice_is_over(1);
}

static void prolong(uint32_t by, uint32_t counts)
{
    hrlp_gptm_slice_prolong(1, by, counts);
}

const struct conform_slices conform_slices = {"timer1", start, restart, is_over, prolong};
