/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cores.h"

#if HRL_CORES > 1 /* as one core takes no locks */
struct hrlp_rv32_lock hrlp_rv32_locks[HRLP_LOCKS];
uint32_t hrlp_rv32_met;
uint32_t hrlp_rv32_meetings;
#endif
