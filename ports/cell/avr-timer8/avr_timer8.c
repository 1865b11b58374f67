/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_avr_timer8.h"

uint8_t hrlp_avr_timer8_period;
