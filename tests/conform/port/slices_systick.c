/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conform.h"
#include "hrlp_systick.h"

/* The processor's own cell. */
static void start(uint32_t counts)
{
    hrlp_systick_slice_start(0, counts);
}

static void restart(void)
{
    hrlp_systick_slice_restart(0);
}

static bool is_over(void)
{
    return hrlp_systick_slice_is_over(0);
}

static void prolong(uint32_t by, uint32_t counts)
{
    hrlp_systick_slice_prolong(0, by, counts);
}

const struct conform_slices conform_slices = {"systick", start, restart, is_over, prolong};
