/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_DIFFERENCE_H
#define HRLP_DIFFERENCE_H

#include <stdint.h>

/*
 * Porting contract: a load, a subtraction and a store with nothing in between, for timer devices with a
 * counter that is set by the clock. Ports without such a device do not have it.
 *
 * Stores `*from` - `less` in `*to`, and returns it. Context: any.
 */
static inline uint32_t hrlp_difference_store(volatile uint32_t *to, const volatile uint32_t *from,
                                             uint32_t less);

#include "hrlp_difference_controller.h"

#endif
