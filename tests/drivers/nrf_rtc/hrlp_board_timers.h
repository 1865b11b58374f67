/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_BOARD_TIMERS_H
#define HRLP_BOARD_TIMERS_H

#include "rtc_model.h"

/* RTC1, with the model behind its registers. */
#define HRLP_NRF_RTC_BASE 0x40011000u
#define HRLP_NRF_RTC_LINE 17
#define HRLP_NRF_RTC_SOURCE 1u
#define HRLP_NRF_RTC_LOAD(address) rtc_load(address)
#define HRLP_NRF_RTC_STORE(address, value) rtc_store(address, value)

#endif
