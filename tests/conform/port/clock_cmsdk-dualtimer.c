/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cmsdk_dualtimer.h"
#include "conform.h"

void conform_clock_set(hrl_stamp stamp)
{
    HRLP_CMSDK_DUALTIMER(1)->load = ~stamp;
}
