/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "../../pico/port/hrlp_board_timers.h" /* it is the same chip */
