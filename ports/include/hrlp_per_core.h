/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_PER_CORE_H
#define HRLP_PER_CORE_H

#include <hrl/types.h>

/*
 * Porting contract: HRLP_PER_CORE, the storage class of a variable that the kernel or a port defines once a core
 * (hrlp_cores.h). It is empty with one core, and where each core has private memory at the same address. A port that
 * has no such memory says by which class the compiler finds a core's own; the address of such a variable is no
 * constant. The port defines it in hrlp_per_core_controller.h, for HRL_CORES > 1.
 */
#if HRL_CORES > 1 /* as ports for one core have no such header */
#include "hrlp_per_core_controller.h"
#else
#define HRLP_PER_CORE
#endif

#endif
