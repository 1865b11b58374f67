/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the generator writes for a system, by hand for the bench: the clock of ibex-cells, and a tick of 1 ms.
 */
#define HRL_GEN_CPU_HZ 50000000
#define HRL_GEN_TICK_HZ 1000
