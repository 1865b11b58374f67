/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the generator writes for a system, by hand for the bench: the clock of mps2-an385, and the tick that
 * FreeRTOS is measured with.
 */
#define HRL_GEN_CPU_HZ 25000000
#define HRL_GEN_TICK_HZ 1000
