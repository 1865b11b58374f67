/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLAIN_UNIFIED_H
#define PLAIN_UNIFIED_H

#include "slice_unified.h"

/* TIMING unified: the 1+N paper's Listing 2, in counts. */
static struct hrli_slice_unified plain_unified;
#define PLAIN_UNIFIED(verb) hrli_slice_unified_##verb
#define PLAIN_UNIFIED_SLICE PLAIN_SLICE_COUNTS
#define PLAIN_AND_CLOCK /* counts are not converted */

#include "one_cell.h"

#endif
