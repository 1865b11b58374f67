/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#if HRL_TRACE /* as the build says */
#include "hrlp_ring_trace.h"
#else
#include "hrlp_no_trace.h"
#endif
