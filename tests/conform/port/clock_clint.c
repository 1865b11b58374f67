/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "clint.h"
#include "conform.h"

void conform_clock_set(hrl_stamp stamp)
{
    HRLP_CLINT_TIME[0] = stamp;
}
