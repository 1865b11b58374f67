/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_KERNEL_H
#define HRL_KERNEL_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Starts the clock, all cells in phase, and the scheduler; becomes the idle thread and does not
 * return. Context: start-up code, once, interrupts of the kernel's cells not yet enabled.
 */
void hrl_start(void);

#ifdef __cplusplus
}
#endif

#endif
