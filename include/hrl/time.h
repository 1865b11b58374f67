/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_TIME_H
#define HRL_TIME_H

#include <hrl/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The present instant in counts, 64 bits, monotone. 0 until the kernel has started its clock.
 * Context: any task, any core; interrupts up to the kernel's priority, as the upper half is kept by one of them. Cost: constant.
 */
hrl_counts hrl_now(void);

#ifdef __cplusplus
}
#endif

#endif
