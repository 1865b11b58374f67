/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* ibex-cells: the first two timer cells. */
#define PLAIN_TIME cell0
#define PLAIN_SLICES cell1
#include "plain_system.h"
